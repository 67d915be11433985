import { type GivenGrant, type SafeText, safeText } from '@countersign/core'
import { decide } from '@countersign/node'
import type { ChatCommand, ChatSource } from '@countersign/terminal/chat'
import { shortId } from '../arguments/id-prefix.ts'
import { lifetimeWords, scopeWords } from '../grants/grant-words.ts'
import { accountName, type LocalKey } from '../home/approver-key.ts'
import type { Io } from '../terminal/io.ts'
import { editArguments } from '../watch/edit-arguments.ts'
import { clearEditFolders } from '../watch/edit-folder.ts'
import { chatCommands } from './commands.ts'
import type { Conversation } from './conversation.ts'

/** A conversation with its deciding side, as the screen wants it. INVARIANT: L8, the agent has none of this. */
export function openChatSource(
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
    commands: [...chatCommands(conversation, io), ...more],
    status: () => ({
      model: safeText(model.name),
      preset: safeText(gate.preset()),
      isClassic: gate.preset() === 'classic',
      session: shortId(gate.session ?? 'none'),
    }),
    sealed: key.sealed,
    decide: async ({ view }, decision, passphrase) =>
      decide(desk, view, decision, { approver: key.open(passphrase), surface: 'terminal', crypto }),
    wouldMatch: (scope) => desk.wouldMatch(scope),
    edit: (args) => editArguments(args, opened.home, io.env),
    // Base64 in the sequence that terminals copy by: nothing of the text can act on the terminal.
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
