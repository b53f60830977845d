"""Replies in the four protocols that coding agents speak: one function each, JSON payload and stream events."""

from __future__ import annotations

import json
import time
import uuid

from tests.clients.harness.request_text import Json

Events = list[tuple[str, Json]]

# Fits every JSON schema which Gemini CLI sends with its side requests.
GEMINI_SIDE = {
    "complexity_reasoning": "stub",
    "complexity_score": 1,
    "reasoning": "stub",
    "model_choice": "flash",
    "next_speaker": "user",
}


def _reply_text(reply: Json, calls: list[Json]) -> str | None:
    """The text of a reply; a reply with neither text nor calls says `ok`."""
    return reply.get("text", None if calls else "ok")


def _usage(reply: Json) -> tuple[int, int]:
    """Input and output token counts to report."""
    usage = reply.get("usage") or {}
    return usage.get("input_tokens", 100), usage.get("output_tokens", 10)


def _anthropic_block_events(index: int, block: Json) -> Events:
    """The three stream events of one content block."""
    if block["type"] == "text":
        opening: Json = {"type": "text", "text": ""}
        delta: Json = {"type": "text_delta", "text": block["text"]}
    else:
        opening = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        ("content_block_start", {"index": index, "content_block": opening}),
        ("content_block_delta", {"index": index, "delta": delta}),
        ("content_block_stop", {"index": index}),
    ]


def render_anthropic(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """A Messages API response and its stream."""
    text = _reply_text(reply, calls)
    blocks: list[Json] = [{"type": "text", "text": text}] if text is not None else []
    blocks += [{"type": "tool_use", **call} for call in calls]
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    tokens_in, tokens_out = _usage(reply)
    usage = {
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    message = {
        "id": "msg_" + uuid.uuid4().hex[:20],
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "stub"),
        "content": blocks,
        **stop,
        "usage": usage,
    }
    empty = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: Events = [("message_start", {"message": empty})]
    for index, block in enumerate(blocks):
        events += _anthropic_block_events(index, block)
    events += [("message_delta", {"delta": stop, "usage": usage}), ("message_stop", {})]
    return message, [(name, {"type": name, **data}) for name, data in events]


def _responses_items(reply: Json, calls: list[Json]) -> list[Json]:
    """The output items of a Responses API reply."""
    items: list[Json] = []
    text = _reply_text(reply, calls)
    if text is not None:
        items.append(
            {
                "type": "message",
                "id": "msg_" + uuid.uuid4().hex[:20],
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            }
        )
    for call in calls:
        namespace, _, name = call["name"].rpartition("/")
        items.append(
            {
                "type": "function_call",
                "id": "fc_" + uuid.uuid4().hex[:20],
                "call_id": call["id"],
                "name": name,
                "arguments": json.dumps(call["input"]),
                "status": "completed",
                **({"namespace": namespace} if namespace else {}),
            }
        )
    return items


def render_responses(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """An OpenAI Responses API response and its stream."""
    items = _responses_items(reply, calls)
    tokens_in, tokens_out = _usage(reply)
    response = {
        "id": "resp_" + uuid.uuid4().hex[:20],
        "object": "response",
        "created_at": int(time.time()),
        "model": body.get("model", "stub"),
        "status": "completed",
        "output": items,
        "usage": {
            "input_tokens": tokens_in,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": tokens_out,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens_in + tokens_out,
        },
    }
    events: Events = [("response.created", {"response": {**response, "status": "in_progress", "output": []}})]
    for index, item in enumerate(items):
        opening = {**item, "status": "in_progress"}
        events += [
            ("response.output_item.added", {"output_index": index, "item": opening}),
            ("response.output_item.done", {"output_index": index, "item": item}),
        ]
    events.append(("response.completed", {"response": response}))
    return response, [
        (name, {"type": name, "sequence_number": number, **data})
        for number, (name, data) in enumerate(events)
    ]


def render_chat(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """An OpenAI chat/completions response and its stream (events without a name)."""
    message: Json = {"role": "assistant", "content": _reply_text(reply, calls)}
    if calls:
        message["tool_calls"] = [
            {
                "index": index,
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["input"])},
            }
            for index, call in enumerate(calls)
        ]
    finish = "tool_calls" if calls else "stop"
    tokens_in, tokens_out = _usage(reply)
    usage = {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
    base = {
        "id": "chatcmpl-" + uuid.uuid4().hex[:20],
        "created": int(time.time()),
        "model": body.get("model", "stub"),
    }
    payload = {
        **base,
        "object": "chat.completion",
        "usage": usage,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    chunk = {**base, "object": "chat.completion.chunk"}
    return payload, [
        ("", {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        ("", {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage}),
    ]


def render_gemini(reply: Json, calls: list[Json], body: Json) -> tuple[Json, Events]:
    """A generateContent response; the stream is the same object, once."""
    text = _reply_text(reply, calls)
    wanted = body.get("generationConfig") or {}
    if "responseJsonSchema" in wanted or wanted.get("responseMimeType") == "application/json":
        text = json.dumps(GEMINI_SIDE)
    parts: list[Json] = [{"text": text}] if text is not None else []
    parts += [{"functionCall": {"name": call["name"], "args": call["input"]}} for call in calls]
    tokens_in, tokens_out = _usage(reply)
    payload = {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": tokens_in,
            "candidatesTokenCount": tokens_out,
            "totalTokenCount": tokens_in + tokens_out,
        },
        "modelVersion": "stub",
    }
    return payload, [("", payload)]


RENDERERS = {
    "anthropic": render_anthropic,
    "responses": render_responses,
    "chat": render_chat,
    "gemini": render_gemini,
}


def error_payload(error: Json) -> Json:
    """One error body which all four kinds of client understand."""
    kind, message = error.get("type", "api_error"), error.get("message", "stub error")
    return {
        "type": "error",
        "error": {"type": kind, "message": message, "status": kind, "code": error.get("status", 500)},
    }


def sse(events: Events, protocol: str) -> bytes:
    """Server-sent events as they go over the wire."""
    lines = [(f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n" for name, data in events]
    return ("".join(lines) + ("data: [DONE]\n\n" if protocol == "chat" else "")).encode()
