"""A real headless Chromium, spoken to over its debugging pipe: no driver, no web socket, no port.

The protocol is JSON with a NUL byte behind each message; the browser reads descriptor 3 and writes to 4.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_PHONE = 600
_PATIENCE = 60.0
"""Seconds for one answer; only a browser that hangs takes so long."""


class Chromium:
    """One browser with one page, in a profile of its own."""

    def __init__(self, program: str, profile: Path) -> None:
        self._program = program
        self._profile = profile
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        """Everything the browser told on its own, in order."""

    def __enter__(self) -> Self:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # Descriptors 3 and 4 are fixed by the protocol; a shell puts ours there, whatever their numbers.
        start = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            "--hide-scrollbars",
        )
        self._process = subprocess.Popen(
            ["bash", "-c", start, self._program, *options, f"--user-data-dir={self._profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            env={**os.environ, "HOME": str(self._profile)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        targets = self._call("Target.getTargets", session=None)["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        attached = self._call("Target.attachToTarget", session=None, targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Security"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Only once it is gone with all its helpers does nothing write into the profile any more.
        self._call("Browser.close", session=None)
        while os.read(self._in, 1 << 20):
            pass
        os.close(self._out)
        os.close(self._in)
        self._process.wait(timeout=_PATIENCE)

    def call(self, method: str, **parameters: Any) -> Any:
        """Call a method of the page and return its result."""
        return self._call(method, session=self._session, **parameters)

    def look(self, width: int, *, scheme: str = "light", media: str = "screen", scale: int = 1) -> None:
        """Set the width of the window in CSS pixels, dots per pixel, and what the reader prefers."""
        screen = {"width": width, "height": 900, "deviceScaleFactor": scale, "mobile": width < _PHONE}
        self.call("Emulation.setDeviceMetricsOverride", **screen)
        preference = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", media=media, features=[preference])

    def open(self, page: Path) -> None:
        """Load a file and wait until it is there."""
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        self._until("Page.loadEventFired")

    def evaluate(self, expression: str) -> Any:
        """Return the JSON value of an expression; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def requested(self) -> list[str]:
        """Return the address of every request since the page was opened."""
        return [each["params"]["request"]["url"] for each in self.told("Network.requestWillBeSent")]

    def told(self, method: str) -> list[dict[str, Any]]:
        """Return the events of one kind."""
        return [event for event in self.events if event["method"] == method]

    def picture(self, file: Path, *, top: int = 0, height: int | None = None) -> None:
        """Write a PNG of the page from `top` on, all of it or `height` CSS pixels."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": top, "width": size["width"], "height": height or size["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        file.write_bytes(base64.b64decode(data))

    def _call(self, method: str, *, session: str | None, **parameters: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _until(self, method: str) -> None:
        while not self.told(method):
            self.events.append(self._message())

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], _PATIENCE)
            data = os.read(self._in, 1 << 20) if ready else b""
            if not data:
                raise AssertionError("the browser does not answer")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))
