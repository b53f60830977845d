// OpenCode's way in: adds our skills, server and command to its configuration, the summary to the system
// prompt, and tells the launcher of finished work. Nothing is decided here: progress_plugin/hooks does that.
import { execFile, spawnSync } from "node:child_process"
import { realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = dirname(dirname(realpathSync(fileURLToPath(import.meta.url)))) // `install` makes a link to this file
const LAUNCHER =
  process.platform === "win32"
    ? [join(ROOT, "bin", "agent-progress.cmd")]
    : ["/bin/sh", join(ROOT, "bin", "agent-progress")]

// What a tool of OpenCode is called in the hooks of the others: those that finish a story, or open a file.
const TOOLS = { bash: "Bash", edit: "Edit", write: "Write", patch: "Edit", apply_patch: "Edit", read: "Read" }

// What OpenCode asks of a model for itself, where a summary of the work costs tokens and misleads. It does not say which of its
// agents a request is for, only how that one is told what it is.
const FOR_ITSELF = /^\s*You are a (?:title generator|context summarization agent|helpful AI assistant tasked with summarizing)\b/

function call(event, input, timeout) {
  const [program, ...rest] = [...LAUNCHER, "hook", event, "opencode"]
  const told = JSON.stringify({ hook_event_name: event, ...input })
  const options = {
    timeout,
    encoding: "utf8",
    windowsHide: true,
    shell: process.platform === "win32", // only a shell starts a .cmd
  }
  return { program, rest, told, options }
}

// OpenCode does its own work meanwhile: waiting for a process would hold up all of it, as it runs in one thread.
function ask(event, input, timeout) {
  const { program, rest, told, options } = call(event, input, timeout)
  return new Promise((resolve) => {
    const child = execFile(program, rest, options, (error, stdout) => resolve(error ? "" : stdout))
    child.stdin.on("error", () => {}) // it may end before it has read all; its exit code says how it went
    child.stdin.end(told)
  })
}

// At the end of a turn `opencode run` ends, too, and waits for nobody.
function tell(event, input, timeout) {
  const { program, rest, told, options } = call(event, input, timeout)
  spawnSync(program, rest, { ...options, input: told })
}

// To the text that is there: what many models of one's own machine are served by takes a single system message.
function append(system, text) {
  system.push([...system.splice(-1), text].join("\n\n"))
}

async function context(session_id, cwd, source) {
  return text(await ask("SessionStart", { session_id, cwd, source }, 30000))
}

function text(answer) {
  try {
    return answer ? JSON.parse(answer).additionalContext : undefined
  } catch {
    return undefined
  }
}

export const AgentProgress = async ({ client, directory }) => {
  // The system prompt is made for every request; the text stays the same for a session, until it is compacted.
  const contexts = new Map()
  const compacted = new Set()
  const created = new Set() // here: any other session goes on that was begun in an earlier process
  const summaryOf = (sessionID) => {
    const source = compacted.has(sessionID) ? "compact" : created.has(sessionID) ? "startup" : "reopened"
    if (!contexts.has(sessionID)) contexts.set(sessionID, context(sessionID, directory, source))
    return contexts.get(sessionID)
  }

  // When the first turn begins: else OpenCode starts them when it has all but its tools for the first request, and waits.
  let started = false
  const startServers = () => {
    if (!started) client?.mcp?.status?.().catch(() => {})
    started = true
  }

  const workBegins = (sessionID) => {
    if (sessionID) summaryOf(sessionID) // one that is resumed was not created
  }

  return {
    config: async (config) => {
      config.skills = { ...config.skills, paths: [...(config.skills?.paths ?? []), join(ROOT, "skills")] }
      config.mcp = {
        ...config.mcp,
        progress: {
          type: "local",
          command: [...LAUNCHER, "mcp"],
          environment: { AGENT_PROGRESS_PROJECT_DIR: directory },
          enabled: true,
          ...config.mcp?.progress,
        },
      }
      config.command = {
        ...config.command,
        "progress-status": {
          description: "Show how far the recorded work is",
          template: `The output of \`agent-progress status $ARGUMENTS\` in this project:\n\n!\`${statusCommand()}\`\n\nShow it to the user as it is, then stop.`,
        },
      }
    },

    "chat.message": async ({ sessionID }) => {
      startServers()
      workBegins(sessionID)
    },

    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID || FOR_ITSELF.test(output.system[0] ?? "")) return
      const summary = await summaryOf(sessionID)
      if (summary) append(output.system, summary)
    },

    "tool.execute.after": async ({ tool, sessionID, args }, result) => {
      if (!(tool in TOOLS) || (tool === "bash" && !/\bcommit\b/.test(args?.command))) return
      const tool_input = { file_path: args?.filePath, command: args?.command ?? args?.patchText }
      const input = { session_id: sessionID, cwd: directory, tool_name: TOOLS[tool], tool_input }
      const notes = text(await ask("PostToolUse", input, 20000))
      if (notes && typeof result?.output === "string") result.output += `\n\n${notes}`
    },

    event: async ({ event }) => {
      const session_id = event.properties?.sessionID
      if (event.type === "session.created" && session_id) {
        created.add(session_id)
        summaryOf(session_id)
      }
      // A command that the user types into the session is no message.
      if (event.type === "session.status" && event.properties.status?.type === "busy") workBegins(session_id)
      if (event.type === "session.idle") tell("Stop", { session_id, cwd: directory }, 20000)
      if (event.type === "session.compacted") {
        compacted.add(session_id)
        contexts.delete(session_id)
      }
    },
  }
}

function statusCommand() {
  return [...LAUNCHER.map((part) => `"${part}"`), "status", "$ARGUMENTS"].join(" ")
}
