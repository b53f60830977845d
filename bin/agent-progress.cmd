@echo off
rem Start agent-progress on Windows if there is no sh, as bin/agent-progress does. Not yet tested on Windows.
setlocal EnableExtensions DisableDelayedExpansion
set "NoDefaultCurrentDirectoryInExePath=1"
set "disabled=%AGENT_PROGRESS_DISABLED%"
if "%disabled%"=="0" set "disabled="
if defined disabled if "%~1"=="hook" exit /b 0
if defined disabled if "%~1"=="statusline" exit /b 0

for %%r in ("%~dp0..") do set "root=%%~fr"
set "data=%LOCALAPPDATA%\agent-progress"
set "hash=none"
for /f "usebackq tokens=3" %%h in ("%root%\requirements.lock") do set "hash=%%h" & goto hashed
:hashed
set "python=%data%\env\%hash%\Scripts\python.exe"
if exist "%python%" (
    "%python%" -I -S -X utf8 -X "pycache_prefix=%data%\pycache" "%root%\progress_plugin\__main__.py" %*
    exit /b
)
for %%v in (3.14 3.13 3.12 3.11) do (
    py -%%v -c "" 2>nul && (
        py -%%v -I -S -X utf8 -X "pycache_prefix=%data%\pycache" "%root%\progress_plugin\first_start.py" %*
        exit /b
    )
)
echo agent-progress: Python 3.11 or newer was not found; install it from python.org>&2
if "%~1"=="hook" exit /b 0
exit /b 3
