@echo off
rem The launcher's twin for Windows, where no sh is found. It has never run there: docs/clients.md tells.
rem The directories are those of progress_plugin\core\directories.py, the doors those of bin/agent-progress.
setlocal EnableExtensions DisableDelayedExpansion
rem Programs of the working directory are not started for being named like one of the system's.
set "NoDefaultCurrentDirectoryInExePath=1"
set "project=%CD%"
if defined CLAUDE_PROJECT_DIR for %%d in ("%CLAUDE_PROJECT_DIR%") do set "project=%%~fd"
for %%r in ("%~dp0..") do set "root=%%~fr"

set "door=main"
if "%~1"=="hook" set "door=record"
if "%*"=="statusline" set "door=statusline"
if "%~1 %~2"=="hook SessionStart" set "door=start"
if "%door%"=="main" goto directories
if not defined AGENT_PROGRESS_DISABLED goto directories
if not "%AGENT_PROGRESS_DISABLED%"=="0" exit /b 0

:directories
set "data=%LOCALAPPDATA%\agent-progress"
set "cache=%data%\Cache"

rem --- the environment for this version of the plugin, or a Python without one -------------------------
set "hash=none"
for /f "usebackq tokens=3" %%h in ("%root%\requirements.lock") do set "hash=%%h" & goto environment
:environment
set "python="
set "site="
for /d %%e in ("%data%\env\%hash%-*" "%cache%\env\%hash%-*") do call :try_environment "%%~e"
if defined python goto run
if exist "%data%\python" set /p python=<"%data%\python"
if defined python if exist "%python%" goto run
set "python="
if "%door%"=="record" if exist "%data%\no-python" exit /b 0
if "%door%"=="statusline" if exist "%data%\no-python" exit /b 0

rem --- looking for a Python: the Store's aliases come last, and not again once a search was in vain ----
for /f "delims=" %%p in ('where py python3 python 2^>nul') do call :try_python "%%p" installed
if not defined python if not exist "%data%\no-python" for /f "delims=" %%p in ('where python3 python 2^>nul') do call :try_python "%%p" alias
if not defined python goto give_up
if not exist "%data%" mkdir "%data%" 2>nul
>"%data%\python" echo %python%
del "%data%\no-python" 2>nul

:run
set "AGENT_PROGRESS_SITE=%site%"
set options=-I -S -X utf8 -X "pycache_prefix=%cache%\pycache"
if "%*"=="mcp" set "door=mcp"
if "%door%"=="main" "%python%" %options% "%root%\progress_plugin\__main__.py" %*
if not "%door%"=="main" "%python%" %options% "%root%\hooks\%door%.py" %2 %3
exit /b %errorlevel%

:give_up
if "%door%"=="main" echo agent-progress: Python 3.11 or newer was not found; install it from python.org>&2
if "%door%"=="main" exit /b 3
if "%door%"=="start" if not exist "%data%\no-python" echo {"systemMessage": "progress: Python 3.11 or newer was not found; install it from python.org. Until then nothing is shown or kept."}
if not exist "%data%" mkdir "%data%" 2>nul
>"%data%\no-python" echo told
exit /b 0

rem Take the first environment whose Python still stands.
:try_environment
if defined python exit /b 0
if exist "%~1\python" set /p python=<"%~1\python"
if not defined python exit /b 0
if exist "%python%" (set "site=%~1\site-packages") else set "python="
exit /b 0

rem Keep the real path of the first Python that is new enough; the Store's stub prints none.
:try_python
if defined python exit /b 0
set "aliased=installed"
echo "%~1" | find /i "\WindowsApps\" >nul && set "aliased=alias"
if not "%aliased%"=="%~2" exit /b 0
rem Nothing of the project is started, where it stands on PATH; the user's home is no project.
if /i not "%CD%"=="%USERPROFILE%" echo "%~1" | find /i "%CD%\" >nul && exit /b 0
if /i not "%project%"=="%USERPROFILE%" echo "%~1" | find /i "%project%\" >nul && exit /b 0
for /f "delims=" %%x in ('^""%~1" -I -S "%root%\bin\python_path.py" 2^>nul^"') do if exist "%%x" set "python=%%x"
exit /b 0
