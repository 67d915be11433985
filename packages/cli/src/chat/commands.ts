import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, countWords, formatProblem, type SafeText, safeText } from '@countersign/core'
import { listBackups, planUndo, prepareUndo } from '@countersign/node'
import type { ChatCommand } from '@countersign/terminal/chat'
import { shortId } from '../arguments/ids.ts'
import type { LocalKey } from '../home/approver-key.ts'
import type { Io } from '../terminal/io.ts'
import { findBackups } from '../undo/undo-call.ts'
import { settingLines, settingsEditor } from './change-settings.ts'
import type { Conversation } from './conversation.ts'

/** Slash commands that need the conversation; the screen adds its own. */
export function chatCommands(conversation: Conversation, key: LocalKey, io: Io): readonly ChatCommand[] {
  const { opened } = conversation
  const change = settingsEditor(opened.desk, key)
  return [
    {
      name: 'settings',
      takes: '[tool never]',
      does: 'show settings, or set a tool: never, always, manual, deny, default',
      run: (rest) => (rest === '' ? settings(conversation) : change(rest)),
    },
    { name: 'policy', does: 'show active policy files and their problems', run: () => policy(conversation) },
    {
      name: 'model',
      does: 'show the model',
      run: async () => [
        safeText(`${conversation.model.name}; to change it: \`countersign chat --model provider/name\``),
      ],
    },
    {
      name: 'export',
      takes: '[name]',
      does: 'save the conversation as JSON and Markdown',
      run: (rest) => write(rest, conversation, io),
    },
    {
      name: 'undo',
      takes: '[calls]',
      does: 'undo the file changes of the last call, or of the named ones',
      run: (rest) => undoInChat(rest, conversation),
    },
    {
      name: 'clear',
      does: 'start a new conversation; the agent forgets this one',
      async run() {
        await conversation.forget()
        return [safeText(`new conversation; session ${shortId(opened.gate.session ?? '')} and its grants continue`)]
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
      ['tools', `${tools.length}${servers.size === 0 ? '' : `, with servers ${[...servers].join(', ')}`}`],
      ['grants', String(given.length)],
      ['tier', 'T0: the gate runs in the agent’s process; it protects against a misled model, see SECURITY.md'],
    ]),
    ...(await policy(conversation)),
    ...lines(await settingLines(opened.desk)),
  ]
}

async function policy({ opened }: Conversation): Promise<readonly SafeText[]> {
  const files = await opened.ports.policyFiles.read()
  const named = files.map(({ layer, name, trusted }): readonly [string, string] => [
    `${layer} policy`,
    `${name}${layer === 'project' ? (trusted ? ' (trusted)' : ' (can only tighten; see `countersign trust`)') : ''}`,
  ])
  const problems = (await opened.gate.policyProblems()).map((problem): readonly [string, string] => [
    'problem',
    formatProblem(problem),
  ])
  return lines([...(named.length === 0 ? [['policy', 'no files; the preset decides'] as const] : named), ...problems])
}

function lines(rows: readonly (readonly [label: string, text: string])[]): readonly SafeText[] {
  return rows.map(([label, text]) => safeText(`${label.padEnd(15)}${text}`))
}

/** Saves the transcript in the current folder, readable by the user only; never overwrites a file. */
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
        `can’t write \`${path}\` (${code}); choose another name with \`/export name\``,
        {
          cause: error,
        },
      )
    }
  }
  return files.map(([path]) => safeText(`saved ${path}`))
}

/** Undoes the named calls, or the last one with a backup. The undo is itself a call through the gate. */
export async function undoInChat(typed: string, conversation: Conversation): Promise<readonly SafeText[]> {
  const { opened, emit } = conversation
  const { gate, home, ports } = opened
  const named = typed === '' ? [await lastOf(conversation)] : typed.split(/\s+/)
  const refs = await findBackups(named, opened)
  const plan = await planUndo(home, refs)
  if (plan.steps.length === 0) return [safeText('nothing to undo: the files are unchanged')]
  const { call, run } = prepareUndo(plan, refs, { home, crypto: ports.crypto, workspace: opened.places.workspace })
  const at = (): number => ports.clock.now()
  emit({ kind: 'requested', agent: null, callId: call.id, tool: safeText('undo'), at: at() })
  const result = await gate.run(call, run, conversation.signal)
  const state = result.kind === 'refusal' ? result.outcome : result.kind
  const why = result.kind === 'completed' ? null : safeText(result.message)
  const reason = result.kind === 'refusal' && result.reason !== null ? safeText(result.reason) : null
  emit({ kind: 'over', callId: call.id, state, why, reason, isUndoable: result.kind === 'completed', at: at() })
  return result.kind === 'completed' ? [safeText(`undone: ${countWords(plan.steps.length, 'change')} restored`)] : []
}

/** The last call of this session that has a backup. */
async function lastOf({ opened }: Conversation): Promise<string> {
  const { session } = opened.gate
  const kept = new Set(listBackups(opened.home).map(({ call }) => call))
  const past = await opened.desk.history({ session, limit: 200 })
  const found = past.find(({ id }) => kept.has(id))
  if (found === undefined)
    throw new CountersignError('CS_BACKUP', 'this session has no backups; list all with `countersign undo --list`')
  return found.id
}
