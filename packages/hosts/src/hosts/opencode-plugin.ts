/**
 * The text of the plugin that puts opencode behind the gate. `argv` starts our hook without a shell; the event's name is added
 * at its end. INVARIANT: L3, a tool runs only after exit code 0 with one JSON object that allows it.
 */
export function opencodePlugin(argv: readonly string[]): string {
  const header = '// Written by `countersign init`; `countersign init --undo` removes it.'
  return `${header}\nconst ARGV = ${JSON.stringify(argv)}\n${PLUGIN}`
}

const PLUGIN = `import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

const MOST_OUTPUT = 16 * 1024 * 1024
const MOST_KEPT = 10_000
const MOST_REPORTS = 100
const MOST_SUBAGENTS = 1_000
const REPORT_MS = 10_000
const HELP = 'This call is refused. Run: countersign doctor --hosts'

/** Hooks that were asked. Nobody would wait for their answers; a report still counts after the end of the agent. */
const asked = new Set()
process.on('exit', () => {
  for (const child of asked) child.kill()
})

/** Starts the hook with one event on stdin; resolves with what it printed if it succeeds. */
const runHook = (event, payload, timeout) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(payload)
    const child = spawn(ARGV[0], [...ARGV.slice(1), event], { stdio: ['pipe', 'pipe', 'ignore'] })
    if (timeout === undefined) asked.add(child)
    const timer = timeout === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeout)
    const end = (settle, value) => {
      clearTimeout(timer)
      asked.delete(child)
      settle(value)
    }
    const chunks = []
    let size = 0
    child.stdout.on('data', (chunk) => {
      size += chunk.length
      if (size > MOST_OUTPUT) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', (error) => end(reject, new Error('Countersign did not start: ' + error.message + '. ' + HELP)))
    child.on('close', (code) => {
      if (code === 0 && size <= MOST_OUTPUT) end(resolve, Buffer.concat(chunks))
      else end(reject, new Error('Countersign did not answer. ' + HELP))
    })
    // A hook that ends before it has read everything is judged by its exit code.
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments to run with, or undefined for those the agent asked for. Throws for everything but leave. */
const allowedArgs = (bytes) => {
  let answer
  try {
    answer = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Error('The answer from Countersign is not JSON. ' + HELP)
  }
  if (isObject(answer) && answer.decision === 'deny' && typeof answer.reason === 'string' && answer.reason !== '')
    throw new Error(answer.reason)
  const known = isObject(answer) && Object.keys(answer).every((key) => key === 'decision' || key === 'args')
  if (known && answer.decision === 'allow' && (!Object.hasOwn(answer, 'args') || isObject(answer.args))) return answer.args
  throw new Error('This plugin does not understand the answer from Countersign. ' + HELP)
}

/** In place: opencode keeps its own reference to the object. */
const replaceArgs = (args, replacement) => {
  for (const key of Object.keys(args)) if (!Object.hasOwn(replacement, key)) delete args[key]
  for (const [key, value] of Object.entries(replacement)) args[key] = value
}

export const Countersign = async ({ directory }) => {
  /** Sub-agents' sessions: the session that all of it belongs to, and the sub-agent's name. */
  const subagents = new Map()
  /** Reports of each session that are under way. */
  const reports = new Map()
  let waiting = 0

  const rootOf = (session) => subagents.get(session)?.parent ?? session
  const around = (session) => ({ directory, ...subagents.get(session) })

  /** One after the other in a session, and never waited for by the agent. */
  const report = (session, event, payload) => {
    if (waiting >= MOST_REPORTS) return
    waiting += 1
    const root = rootOf(session)
    const send = () => runHook(event, payload, REPORT_MS).catch(() => {})
    const sent = (reports.get(root) ?? Promise.resolve()).then(send).then(() => {
      waiting -= 1
      if (reports.get(root) === sent) reports.delete(root)
    })
    reports.set(root, sent)
  }

  const noteSubagent = ({ id, parentID, agent }) => {
    if (typeof parentID !== 'string' || subagents.size >= MOST_SUBAGENTS) return
    subagents.set(id, { parent: rootOf(parentID), agent })
  }

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      await Promise.race([reports.get(rootOf(sessionID)), pause(REPORT_MS, undefined, { ref: false })])
      const payload = { input: { tool, sessionID, callID }, output: { args: output.args }, ...around(sessionID) }
      const args = allowedArgs(await runHook('tool.execute.before', payload))
      if (args !== undefined) replaceArgs(output.args, args)
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, result) => {
      const text = typeof result?.output === 'string' ? result.output.slice(-MOST_KEPT) : null
      const output = { output: text, metadata: { exit: result?.metadata?.exit } }
      report(sessionID, 'tool.execute.after', { input: { tool, sessionID, callID, args }, output, ...around(sessionID) })
    },
    event: async ({ event: { type, properties } }) => {
      if (type === 'session.idle') report(properties?.sessionID, type, { type, properties })
      if (type !== 'session.created' && type !== 'session.deleted') return
      const { id, directory, parentID, agent } = properties?.info ?? {}
      if (type === 'session.created') noteSubagent({ id, parentID, agent })
      report(id, type, { type, properties: { sessionID: id, info: { id, directory, parentID } } })
      if (type === 'session.deleted') subagents.delete(id)
    },
  }
}
`
