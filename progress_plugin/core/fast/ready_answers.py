"""What the SDK's server answers: `python -m tests.documents.remake` asks it; not to be edited."""

INSTRUCTIONS = '"@instructions@"'
TEXT = '"@text@"'
"""What stands in the place of what depends on the project, or on what happened."""
LATEST = '2025-11-25'
"""The version that a client is offered which names none of these."""
MODERN = '2026-07-28'
"""The version that needs no handshake."""

_ANSWER_1 = (
    '{"capabilities":{"tools":{"listChanged":false}},"instructions":"@instructions@","protocolV'
    'ersion":"2024-11-05","serverInfo":{"name":"progress","version":"0.1.0"}}'
)
_ANSWER_2 = (
    '{"capabilities":{"tools":{"listChanged":false}},"instructions":"@instructions@","protocolV'
    'ersion":"2025-03-26","serverInfo":{"name":"progress","version":"0.1.0"}}'
)
_ANSWER_3 = (
    '{"capabilities":{"tools":{"listChanged":false}},"instructions":"@instructions@","protocolV'
    'ersion":"2025-06-18","serverInfo":{"name":"progress","version":"0.1.0"}}'
)
_ANSWER_4 = (
    '{"capabilities":{"tools":{"listChanged":false}},"instructions":"@instructions@","protocolV'
    'ersion":"2025-11-25","serverInfo":{"name":"progress","version":"0.1.0"}}'
)
_ANSWER_5 = (
    '{"cacheScope":"private","capabilities":{"tools":{"listChanged":false}},"instructions":"@in'
    'structions@","resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"_meta":'
    '{"io.modelcontextprotocol/serverInfo":{"name":"progress","version":"0.1.0"}}}'
)
_ANSWER_6 = (
    '{"tools":[{"description":"Read (no content) or write the progress document.","inputSchema"'
    ':{"properties":{"project":{"type":"string"},"content":{"type":["object","string"]},"sessio'
    'n_id":{"type":"string"},"namespace":{"type":"string"},"base_revision":{"type":"integer","d'
    'escription":"as read"},"project_dir":{"type":"string"}},"required":["project"],"type":"obj'
    'ect"},"name":"mem_progress"},{"description":"List old observations; with compact_ids repla'
    'ce them by a summary.","inputSchema":{"properties":{"older_than_days":{"type":"number"},"p'
    'roject":{"type":"string"},"scope":{"type":"string"},"namespace":{"type":"string"},"compact'
    '_ids":{"type":["array","string"],"items":{"type":"integer"}},"summary_title":{"type":"stri'
    'ng"},"summary_content":{"type":"string"},"session_id":{"type":"string"},"limit":{"type":"i'
    'nteger"}},"required":["older_than_days"],"type":"object"},"name":"mem_compact"},{"descript'
    'ion":"Keep an observation.","inputSchema":{"properties":{"title":{"type":"string"},"conten'
    't":{"type":"string"},"type":{"type":"string","description":"decision, bugfix..."},"project'
    '":{"type":"string"},"scope":{"type":"string"},"topic_key":{"type":"string","description":"'
    'repeated: new revision"}},"required":["title","content","type"],"type":"object"},"name":"m'
    'em_save"},{"annotations":{"readOnlyHint":true},"description":"Find observations and histor'
    'y by words.","inputSchema":{"properties":{"query":{"type":"string"},"project":{"type":"str'
    'ing","description":"\\"*\\": all"},"type":{"type":"string"},"limit":{"type":"integer"}},"req'
    'uired":["query"],"type":"object"},"name":"mem_search"},{"description":"Append to the progr'
    'ess log.","inputSchema":{"properties":{"type":{"type":"string","enum":["session_started","'
    'session_ended","task_completed","task_blocked","debug_resolved","scope_override","mileston'
    'e_reached"]},"description":{"type":"string"},"task_id":{"type":"string"},"spec":{"type":"s'
    'tring"},"learnings":{"type":"array","items":{"type":"string"}},"resolves":{"type":"string"'
    ',"description":"blocker\'s id"},"data":{"type":"object"},"project_dir":{"type":"string"}},"'
    'required":["type","description"],"type":"object"},"name":"progress_log"}]}'
)
_ANSWER_7 = (
    '{"tools":[{"description":"Append to the progress log.","inputSchema":{"properties":{"type"'
    ':{"type":"string","enum":["session_started","session_ended","task_completed","task_blocked'
    '","debug_resolved","scope_override","milestone_reached"]},"description":{"type":"string"},'
    '"task_id":{"type":"string"},"spec":{"type":"string"},"learnings":{"type":"array","items":{'
    '"type":"string"}},"resolves":{"type":"string","description":"blocker\'s id"},"data":{"type"'
    ':"object"},"project_dir":{"type":"string"}},"required":["type","description"],"type":"obje'
    'ct"},"name":"progress_log"}]}'
)
_ANSWER_8 = (
    '{"cacheScope":"private","resultType":"complete","tools":[{"description":"Read (no content)'
    ' or write the progress document.","inputSchema":{"type":"object","properties":{"project":{'
    '"type":"string"},"content":{"type":["object","string"]},"session_id":{"type":"string"},"na'
    'mespace":{"type":"string"},"base_revision":{"type":"integer","description":"as read"},"pro'
    'ject_dir":{"type":"string"}},"required":["project"]},"name":"mem_progress"},{"description"'
    ':"List old observations; with compact_ids replace them by a summary.","inputSchema":{"type'
    '":"object","properties":{"older_than_days":{"type":"number"},"project":{"type":"string"},"'
    'scope":{"type":"string"},"namespace":{"type":"string"},"compact_ids":{"type":["array","str'
    'ing"],"items":{"type":"integer"}},"summary_title":{"type":"string"},"summary_content":{"ty'
    'pe":"string"},"session_id":{"type":"string"},"limit":{"type":"integer"}},"required":["olde'
    'r_than_days"]},"name":"mem_compact"},{"description":"Keep an observation.","inputSchema":{'
    '"type":"object","properties":{"title":{"type":"string"},"content":{"type":"string"},"type"'
    ':{"type":"string","description":"decision, bugfix..."},"project":{"type":"string"},"scope"'
    ':{"type":"string"},"topic_key":{"type":"string","description":"repeated: new revision"}},"'
    'required":["title","content","type"]},"name":"mem_save"},{"annotations":{"readOnlyHint":tr'
    'ue},"description":"Find observations and history by words.","inputSchema":{"type":"object"'
    ',"properties":{"query":{"type":"string"},"project":{"type":"string","description":"\\"*\\": '
    'all"},"type":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]},"name":"m'
    'em_search"},{"description":"Append to the progress log.","inputSchema":{"type":"object","p'
    'roperties":{"type":{"type":"string","enum":["session_started","session_ended","task_comple'
    'ted","task_blocked","debug_resolved","scope_override","milestone_reached"]},"description":'
    '{"type":"string"},"task_id":{"type":"string"},"spec":{"type":"string"},"learnings":{"type"'
    ':"array","items":{"type":"string"}},"resolves":{"type":"string","description":"blocker\'s i'
    'd"},"data":{"type":"object"},"project_dir":{"type":"string"}},"required":["type","descript'
    'ion"]},"name":"progress_log"}],"ttlMs":0,"_meta":{"io.modelcontextprotocol/serverInfo":{"n'
    'ame":"progress","version":"0.1.0"}}}'
)
_ANSWER_9 = (
    '{"cacheScope":"private","resultType":"complete","tools":[{"description":"Append to the pro'
    'gress log.","inputSchema":{"type":"object","properties":{"type":{"type":"string","enum":["'
    'session_started","session_ended","task_completed","task_blocked","debug_resolved","scope_o'
    'verride","milestone_reached"]},"description":{"type":"string"},"task_id":{"type":"string"}'
    ',"spec":{"type":"string"},"learnings":{"type":"array","items":{"type":"string"}},"resolves'
    '":{"type":"string","description":"blocker\'s id"},"data":{"type":"object"},"project_dir":{"'
    'type":"string"}},"required":["type","description"]},"name":"progress_log"}],"ttlMs":0,"_me'
    'ta":{"io.modelcontextprotocol/serverInfo":{"name":"progress","version":"0.1.0"}}}'
)
_ANSWER_10 = (
    '{"content":[{"text":"@text@","type":"text"}],"isError":true}'
)
_ANSWER_11 = (
    '{"content":[{"text":"@text@","type":"text"}],"isError":true,"resultType":"complete","_meta'
    '":{"io.modelcontextprotocol/serverInfo":{"name":"progress","version":"0.1.0"}}}'
)

INITIALIZED: dict[str, str] = {
    "2024-11-05": _ANSWER_1,
    "2025-03-26": _ANSWER_2,
    "2025-06-18": _ANSWER_3,
    "2025-11-25": _ANSWER_4,
}
"""The result of `initialize`."""

DISCOVERED: dict[str, str] = {
    "2026-07-28": _ANSWER_5,
}
"""The result of `server/discover`."""

TOOLS: dict[str, tuple[str, str]] = {
    "2024-11-05": (_ANSWER_6, _ANSWER_7),
    "2025-03-26": (_ANSWER_6, _ANSWER_7),
    "2025-06-18": (_ANSWER_6, _ANSWER_7),
    "2025-11-25": (_ANSWER_6, _ANSWER_7),
    "2026-07-28": (_ANSWER_8, _ANSWER_9),
}
"""The result of `tools/list`, with the memory and without it."""

CALLED: dict[str, str] = {
    "2024-11-05": _ANSWER_10,
    "2025-03-26": _ANSWER_10,
    "2025-06-18": _ANSWER_10,
    "2025-11-25": _ANSWER_10,
    "2026-07-28": _ANSWER_11,
}
"""The result of a `tools/call` that failed."""
