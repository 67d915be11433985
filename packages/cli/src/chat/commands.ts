import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, canonicalJson, countWords, formatProblem, type SafeText, safeText } from '@countersign/core'
import { applyUndo, listBackups, planUndo, spareBackup } from '@countersign/node'
import type { ChatCommand } from '@countersign/terminal/chat'
import { shortId } from '../arguments/ids.ts'
import type { Io } from '../terminal/io.ts'
import { findBackup, refuseChanged, undoCall } from '../undo/undo-call.ts'
import type { Conversation } from './conversation.ts'

/** The slash commands of a conversation that need more than the screen. */
export function chatCommands(conversation: Conversation, io: Io): readonly ChatCommand[] {
  const { opened } = conversation
  return [
    { name: 'settings', does: 'preset, policy files, model, folders and tier', run: () => settings(conversation) },
    { name: 'policy', does: 'the policy files in force, and what is wrong with them', run: () => policy(conversation) },
    {
      name: 'model',
      does: 'the model that answers',
      run: async () => [
        safeText(`${conversation.model.name}; another one: \`countersign chat --model provider/name\``),
      ],
    },
    {
      name: 'export',
      takes: '[name]',
      does: 'the conversation as JSON and Markdown',
      run: (rest) => write(rest, conversation, io),
    },
    {
      name: 'undo',
      takes: '[call]',
      does: 'put back what a call changed',
      run: (rest) => undoInChat(rest, conversation),
    },
    {
      name: 'clear',
      does: 'a new conversation; the agent forgets this one',
      async run() {
        await conversation.forget()
        return [safeText(`a new conversation; the session ${shortId(opened.gate.session ?? '')} and its grants stay`)]
      },
    },
  ]
}

async function settings(conversation: Conversation): Promise<readonly SafeText[]> {
  const { opened, model, tools } = conversation
  const { gate, home, places } = opened
  const servers = new Set(tools.flatMap(({ server }) => (server === undefined ? [] : [server])))
  const given = await opened.desk.grants().list()
  return [
    ...lines([
      ['preset', gate.preset()],
      ['model', model.name],
      ['workspace', places.workspace],
      ['home', home.dir],
      ['session', gate.session ?? 'none'],
      ['tools', `${tools.length}${servers.size === 0 ? '' : `, of the servers ${[...servers].join(', ')}`}`],
      ['grants', String(given.length)],
      ['tier', 'T0: the gate is in the agent’s process; it holds against a talked-into model, see SECURITY.md'],
    ]),
    ...(await policy(conversation)),
  ]
}

async function policy({ opened }: Conversation): Promise<readonly SafeText[]> {
  const files = await opened.ports.policyFiles.read()
  const named = files.map(({ layer, name, trusted }): readonly [string, string] => [
    `${layer} policy`,
    `${name}${layer === 'project' ? (trusted ? ' (trusted)' : ' (only tightens; `countersign trust`)') : ''}`,
  ])
  const problems = opened.gate
    .policyProblems()
    .map((problem): readonly [string, string] => ['wrong', formatProblem(problem)])
  return lines([...(named.length === 0 ? [['policy', 'no files: the preset answers'] as const] : named), ...problems])
}

function lines(rows: readonly (readonly [label: string, text: string])[]): readonly SafeText[] {
  return rows.map(([label, text]) => safeText(`${label.padEnd(15)}${text}`))
}

/** Writes the transcript beside what the person works on, readable by them alone; nothing is written over. */
async function write(rest: string, conversation: Conversation, io: Io): Promise<readonly SafeText[]> {
  const { ports, gate } = conversation.opened
  const stamp = new Date(ports.clock.now()).toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')
  const base = resolve(
    io.cwd,
    rest === '' ? `chat-${shortId(gate.session ?? '')}-${stamp}` : rest.replace(/\.(json|md)$/, ''),
  )
  const transcript = conversation.transcript()
  const files = [
    [`${base}.json`, transcript.toJson(ports.crypto)],
    [`${base}.md`, transcript.toMarkdown(ports.crypto)],
  ] as const
  for (const [path, text] of files) {
    try {
      writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
      throw new CountersignError(
        'CS_USAGE',
        `\`${path}\` cannot be written (${code}); name another with \`/export name\``,
        {
          cause: error,
        },
      )
    }
  }
  return files.map(([path]) => safeText(`written: ${path}`))
}

/** Puts back what a call changed: the one that is named, else the last one of which a copy is kept. Itself a call, and held. */
async function undoInChat(typed: string, conversation: Conversation): Promise<readonly SafeText[]> {
  const { opened, emit } = conversation
  const { gate, home, ports } = opened
  const named = typed === '' ? await lastOf(conversation) : typed
  const ref = await findBackup(named, opened)
  const plan = await planUndo(home, ref)
  if (plan.steps.length === 0) return [safeText('nothing to undo: everything is as it was')]
  refuseChanged(plan, false)
  spareBackup(home, ref.name)
  const { call, args } = undoCall(plan, ref, opened)
  const at = (): number => ports.clock.now()
  emit({ kind: 'requested', agent: null, callId: call.id, tool: safeText('undo'), at: at() })
  const result = await gate.run(
    call,
    async (frozen) => {
      if (canonicalJson(frozen) !== canonicalJson(args))
        throw new CountersignError('CS_STALE', 'an undo cannot be edited; reject it and undo another call')
      await applyUndo(home, ref, plan)
    },
    conversation.signal,
  )
  const state = result.kind === 'refusal' ? result.outcome : result.kind
  const why = result.kind === 'completed' ? null : safeText(result.message)
  const reason = result.kind === 'refusal' && result.reason !== null ? safeText(result.reason) : null
  emit({ kind: 'over', callId: call.id, state, why, reason, isUndoable: result.kind === 'completed', at: at() })
  return result.kind === 'completed' ? [safeText(`undone, ${countWords(plan.steps.length, 'step')}`)] : []
}

/** The last call of this session that changed something; what other sessions did is named by its id. */
async function lastOf({ opened }: Conversation): Promise<string> {
  const { session } = opened.gate
  const kept = new Set(listBackups(opened.home).map(({ call }) => call))
  const past = await opened.desk.history({ session, outcome: 'completed', limit: 200 })
  const found = past.find(({ id }) => kept.has(id))
  if (found === undefined)
    throw new CountersignError('CS_BACKUP', 'no copy of this session is kept; list all with `countersign undo --list`')
  return found.id
}
