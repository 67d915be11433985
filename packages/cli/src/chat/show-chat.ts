import { type GivenGrant, type SafeText, safeText } from '@countersign/core'
import { decide } from '@countersign/node'
import type { ChatCommand, ChatSource } from '@countersign/terminal/chat'
import { shortId } from '../arguments/ids.ts'
import { addRule, proposeRule } from '../decision/add-rule.ts'
import { lifetimeWords, scopeWords } from '../grants/grant-words.ts'
import { accountName, type LocalKey } from '../home/approver-key.ts'
import { createNotifier, type NotifyWay } from '../notify/terminal-notifier.ts'
import type { Io } from '../terminal/io.ts'
import { loadTerminal } from '../terminal/screen.ts'
import { clearEditFolders, editArguments } from '../watch/edit-arguments.ts'
import { chatCommands } from './commands.ts'
import type { Conversation } from './conversation.ts'

/** Options of the chat screen. */
export interface ShownChat {
  readonly conversation: Conversation
  readonly key: LocalKey
  /** First lines; a default if absent. */
  readonly greeting?: readonly SafeText[]
  /** Warnings, shown after the greeting. */
  readonly notes: readonly SafeText[]
  /** Lines to show once they are available. */
  readonly later?: Promise<readonly SafeText[]>
  readonly notify: NotifyWay
  readonly linear: boolean
  /** Additional slash commands. */
  readonly commands?: readonly ChatCommand[]
  /** First message, sent at once. */
  readonly opening?: string
}

const GREETING = [
  safeText('Every tool call goes through the gate. Calls that need you appear as a card. /help lists commands.'),
]
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Shows a conversation until the person quits or the terminal closes. */
export async function showChat(shown: ShownChat, io: Io): Promise<void> {
  const { conversation, key, notes, opening } = shown
  const { isTerminalLent, runChat } = await loadTerminal()
  const source = openChatSource(conversation, key, io, shown.commands)
  const notifier = createNotifier(shown.notify, io)
  const leaving = new AbortController()
  const leave = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && isTerminalLent()) return
    conversation.abort()
    leaving.abort()
  }
  for (const signal of SIGNALS) process.on(signal, leave)
  const stop = conversation.subscribe((event) => {
    if (event.kind === 'held') notifier.held(event.opened)
    if (event.kind === 'decided' || event.kind === 'over') notifier.gone(event.callId)
  })
  const greeting = shown.greeting ?? GREETING
  try {
    await runChat({
      source: {
        ...source,
        subscribe(listen) {
          listen({ kind: 'note', lines: greeting, tone: 'plain' })
          if (notes.length > 0) listen({ kind: 'note', lines: notes, tone: 'warning' })
          shown.later?.then((lines) => listen({ kind: 'note', lines, tone: 'plain' }))
          return source.subscribe(listen)
        },
      },
      color: io.color,
      stdout: io.stdout,
      linear: shown.linear || io.env['INK_SCREEN_READER'] === 'true',
      leaving: leaving.signal,
      ...(opening === undefined ? {} : { opening }),
    })
  } finally {
    stop()
    notifier.stop()
    for (const signal of SIGNALS) process.off(signal, leave)
  }
}

/** The conversation and its desk, for the chat screen. INVARIANT: L8 the agent has no access to this. */
function openChatSource(
  conversation: Conversation,
  key: LocalKey,
  io: Io,
  more: readonly ChatCommand[] = [],
): ChatSource {
  const { opened, model, emit } = conversation
  const { desk, gate, ports } = opened
  const { clock, crypto } = ports
  clearEditFolders(opened.home)
  return {
    clock,
    subscribe: conversation.subscribe,
    commands: [...chatCommands(conversation, key, io), ...more],
    status: () => ({
      model: safeText(model.name),
      preset: safeText(gate.preset()),
      isClassic: gate.preset() === 'classic',
      session: shortId(gate.session ?? 'none'),
    }),
    sealed: key.sealed,
    async decide({ view }, decision, passphrase, rule) {
      await key.recorded
      const approver = key.open(passphrase)
      const receipt = await decide(desk, view, decision, { approver, surface: 'terminal', crypto })
      if (receipt.accepted && rule !== undefined) {
        const { isAdded, words } = await addRule(desk, rule, { approver, surface: 'terminal' })
        emit({ kind: 'note', lines: [words], tone: isAdded ? 'plain' : 'warning' })
      }
      return receipt
    },
    proposeRule: ({ view }, offer) => proposeRule(desk, view.id, offer),
    wouldMatch: (scope) => desk.wouldMatch(scope),
    edit: (args, whole) => editArguments(args, opened.home, io.env, whole),
    // OSC 52 takes Base64, so the text cannot inject control sequences.
    copy: (text) => void io.stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`),
    grants: async () => (await desk.grants().list()).map((grant) => ({ id: grant.id, words: grantWords(grant) })),
    revoke: (id) => desk.grants().revoke(id, accountName()),
    say(text) {
      const working = conversation.say(text)
      working?.catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        emit({ kind: 'note', lines: [safeText(message)], tone: 'warning' })
      })
      return working !== null
    },
    abort: conversation.abort,
  }
}

function grantWords(grant: GivenGrant): SafeText {
  return safeText(`${scopeWords(grant)}, ${lifetimeWords(grant)}, used ${grant.uses}×`)
}
