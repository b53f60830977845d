"""Replies in the four protocols that coding agents speak: one function each, JSON payload and stream events."""

from __future__ import annotations

import json
import time
import uuid

from tests.clients.harness.request_text import Json

Events = list[tuple[str, Json]]
IN, OUT = 100, 10  # tokens to report

# Fits every JSON schema that Gemini CLI sends with its side requests.
GEMINI_SIDE = {
    "complexity_reasoning": "stub",
    "complexity_score": 1,
    "reasoning": "stub",
    "model_choice": "flash",
    "next_speaker": "user",
}


def _reply_text(reply: Json, calls: list[Json]) -> str | None:
    """Return the text of a reply; `ok` if it has neither text nor calls."""
    return reply.get("text", None if calls else "ok")


def _new_id(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:20]


def render_anthropic(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """Return a Messages API response and its stream."""
    text = _reply_text(reply, calls)
    blocks: list[Json] = [{"type": "text", "text": text}] if text is not None else []
    blocks += [{"type": "tool_use", **call} for call in calls]
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    cache = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    usage = {"input_tokens": IN, "output_tokens": OUT, **cache}
    head = {"id": _new_id("msg_"), "type": "message", "role": "assistant", "model": body.get("model", "stub")}
    message = {**head, "content": blocks, **stop, "usage": usage}
    empty = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: Events = [("message_start", {"message": empty})]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            opening, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            arguments = json.dumps(block["input"])
            opening, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": arguments}
        events += [
            ("content_block_start", {"index": index, "content_block": opening}),
            ("content_block_delta", {"index": index, "delta": delta}),
            ("content_block_stop", {"index": index}),
        ]
    events += [("message_delta", {"delta": stop, "usage": usage}), ("message_stop", {})]
    return message, [(name, {"type": name, **data}) for name, data in events]


def render_responses(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """Return an OpenAI Responses API response and its stream."""
    items: list[Json] = []
    text = _reply_text(reply, calls)
    if text is not None:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        items.append({"type": "message", "id": _new_id("msg_"), "role": "assistant", "content": content})
    for call in calls:
        namespace, _, name = call["name"].rpartition("/")
        item = {"type": "function_call", "id": _new_id("fc_"), "call_id": call["id"], "name": name}
        item |= {"namespace": namespace} if namespace else {}
        items.append({**item, "arguments": json.dumps(call["input"])})
    items = [{**item, "status": "completed"} for item in items]
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    usage = {"input_tokens": IN, "output_tokens": OUT, "total_tokens": IN + OUT, **details}
    head = {"id": _new_id("resp_"), "object": "response", "created_at": int(time.time())}
    response = {
        **head,
        "model": body.get("model", "stub"),
        "status": "completed",
        "output": items,
        "usage": usage,
    }
    events: Events = [("response.created", {"response": {**response, "status": "in_progress", "output": []}})]
    for index, item in enumerate(items):
        opening = {**item, "status": "in_progress"}
        events.append(("response.output_item.added", {"output_index": index, "item": opening}))
        events.append(("response.output_item.done", {"output_index": index, "item": item}))
    events.append(("response.completed", {"response": response}))
    numbered = enumerate(events)
    return response, [
        (name, {"type": name, "sequence_number": number, **data}) for number, (name, data) in numbered
    ]


def render_chat(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """Return an OpenAI chat/completions response and its stream, whose events have no name."""
    message: Json = {"role": "assistant", "content": _reply_text(reply, calls)}
    if calls:
        functions = [{"name": call["name"], "arguments": json.dumps(call["input"])} for call in calls]
        message["tool_calls"] = [
            {"index": index, "id": call["id"], "type": "function", "function": function}
            for index, (call, function) in enumerate(zip(calls, functions, strict=True))
        ]
    finish = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT}
    base = {"id": _new_id("chatcmpl-"), "created": int(time.time()), "model": body.get("model", "stub")}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    payload = {**base, "object": "chat.completion", "usage": usage, "choices": [choice]}
    chunk = {**base, "object": "chat.completion.chunk"}
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": finish}
    return payload, [("", {**chunk, "choices": [first]}), ("", {**chunk, "choices": [last], "usage": usage})]


def render_gemini(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """Return a generateContent response; the stream is the same object, once."""
    text = _reply_text(reply, calls)
    wanted = body.get("generationConfig") or {}
    if "responseJsonSchema" in wanted or wanted.get("responseMimeType") == "application/json":
        text = json.dumps(GEMINI_SIDE)
    parts: list[Json] = [{"text": text}] if text is not None else []
    parts += [{"functionCall": {"name": call["name"], "args": call["input"]}} for call in calls]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": IN, "candidatesTokenCount": OUT, "totalTokenCount": IN + OUT}
    payload = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub"}
    return payload, [("", payload)]


RENDERERS = {
    "anthropic": render_anthropic,
    "responses": render_responses,
    "chat": render_chat,
    "gemini": render_gemini,
}


def sse(events: Events, protocol: str) -> bytes:
    """Return server-sent events as they go over the wire."""
    lines = [(f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n" for name, data in events]
    return ("".join(lines) + ("data: [DONE]\n\n" if protocol == "chat" else "")).encode()
