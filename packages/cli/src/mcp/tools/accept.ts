import { CountersignError, canonicalJson, type Json, safeText } from '@countersign/core'
import { acceptTools, type LabelView, type ServerView, type ToolView } from '@countersign/mcp'
import { type Home, type LocalApprover, systemClock } from '@countersign/node'
import { createPaint } from '@countersign/terminal/card'
import { localKey } from '../../home/approver-key.ts'
import { unlock } from '../../home/unlock.ts'
import { withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../../terminal/io.ts'
import { dataColumns } from '../../terminal/layout.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'
import { viewOf } from './list.ts'
import { acceptLines } from './tool-table.ts'

interface Shown {
  readonly server: ServerView
  readonly tools: readonly ToolView[]
}

/**
 * Shows every tool in quarantine in full, and accepts exactly those when a person types the start of their hash.
 * SECURITY: A20, L8 signed with the approver's key, on a terminal, never from inside a gated command.
 */
export function acceptShown(label: string, names: readonly string[], io: Io): Promise<void> {
  return withJournal(io, async (journal) => {
    const { home, crypto } = journal
    const shown = selectTools(viewOf(home, label), names)
    if (shown.length === 0)
      return io.json ? printJson(io, { accepted: [] }) : say(io, 'no tool is waiting for acceptance')
    const paint = createPaint(io.color)
    for (const { server, tools } of shown)
      for (const line of acceptLines(server, tools, dataColumns(io), paint)) print(io, line)
    const list = shown.flatMap(({ server, tools }) =>
      tools.map((tool) => ({ server: server.identity.hash, name: tool.name, hash: hashOf(tool) })),
    )
    const word = crypto.sha256(canonicalJson(list as unknown as Json)).slice(0, 8)
    const question = `To accept exactly these definitions, type ${word} (anything else leaves them in quarantine): `
    const otherwise = 'accepting tools needs a terminal; run this in one'
    if (!(await isTyped(word, question, io, otherwise))) {
      io.exit(EXIT.failed.code)
      return say(io, 'not accepted; calls stay refused')
    }
    const { approver, signer } = await openKey(home, io)
    for (const { server, name, hash } of list)
      await recordEntry(journal, {
        kind: 'tool-accepted',
        call: null,
        server: label,
        address: server,
        tool: name,
        definition: hash,
        key: approver.id,
        by: approver.name,
      })
    acceptTools(home, label, list, { signer, at: systemClock.now(), crypto })
    say(io, `accepted ${list.length === 1 ? '1 tool' : `${list.length} tools`} of ${safeText(label)}`)
  })
}

/** The approver's key. The passphrase of a sealed key is asked for last, after the confirmation. */
async function openKey(home: Home, io: Io): Promise<LocalApprover> {
  const key = localKey(home, (line) => say(io, line))
  const terminal = key.sealed ? io.terminal() : null
  try {
    return await unlock(key, { terminal, otherwise: 'the tools stay in quarantine' })
  } finally {
    terminal?.close()
  }
}

/** The tools in quarantine; with names, also those that were only pinned at first contact. */
function selectTools({ broken, servers }: LabelView, names: readonly string[]): readonly Shown[] {
  if (broken !== null) throw new CountersignError('CS_PINS', broken)
  const isWanted = ({ name, waiting, accepted }: ToolView): boolean =>
    names.length === 0
      ? waiting !== null
      : names.includes(name) && (waiting !== null || accepted?.origin.kind !== 'person')
  const known = new Set(servers.flatMap(({ tools }) => tools.map(({ name }) => name)))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new CountersignError(
      'CS_USAGE',
      `the server never listed a tool \`${safeText(unknown)}\`; see \`countersign mcp tools\``,
    )
  return servers
    .map((server) => ({ server, tools: server.tools.filter(isWanted) }))
    .filter(({ tools }) => tools.length > 0)
}

function hashOf({ waiting, accepted }: ToolView): string {
  return waiting?.hash ?? accepted?.hash ?? ''
}
