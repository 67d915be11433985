import { CountersignError, safeText } from '@countersign/core'
import { knownLabels, type LabelView, viewLabel } from '@countersign/mcp'
import { type Home, openCrypto } from '@countersign/node'
import { existingHome } from '../../home/existing-home.ts'
import { homeFlag } from '../../home/inbox-address.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../../terminal/io.ts'
import { dataColumns } from '../../terminal/layout.ts'
import { labelLines, stateOf } from './tool-table.ts'

/** Lists what is known of one server, or of all. Exit 1 when something waits for a person. */
export function listTools(server: string | undefined, io: Io): void {
  const home = existingHome(io)
  const crypto = openCrypto(home)
  const views =
    server === undefined ? knownLabels(home).map((label) => viewLabel(home, label, crypto)) : [viewOf(home, server)]
  if (views.some(isWaiting)) io.exit(EXIT.failed.code)
  if (io.json) {
    printJson(io, views.map(shown))
    return
  }
  if (views.length === 0)
    say(io, 'no server was met yet; `countersign mcp wrap` puts those of a client behind the gate')
  for (const view of views) {
    for (const line of labelLines(view, dataColumns(io))) print(io, line)
    if (view.broken === null && isWaiting(view))
      say(
        io,
        `countersign: look at what waits with \`countersign mcp accept ${safeText(view.label)}${homeFlag(home)}\``,
      )
  }
}

/** What is known under a label; CS_USAGE when nothing is. */
export function viewOf(home: Home, label: string): LabelView {
  const view = viewLabel(home, label, openCrypto(home))
  if (view.broken !== null || view.servers.length > 0) return view
  const known = knownLabels(home).slice(0, 10)
  const words =
    known.length === 0 ? 'no server was met yet' : `known are ${known.map((one) => `\`${safeText(one)}\``).join(', ')}`
  throw new CountersignError('CS_USAGE', `no server \`${safeText(label)}\` was met; ${words}`)
}

function isWaiting({ broken, servers }: LabelView): boolean {
  return broken !== null || servers.some(({ tools }) => tools.some(({ waiting }) => waiting !== null))
}

function shown({ label, broken, servers }: LabelView) {
  return {
    server: label,
    broken,
    addresses: servers.map(({ identity, firstAt, tools }) => ({
      address: identity.shown,
      identity: identity.hash,
      firstAt,
      tools: tools.map((tool) => ({
        name: tool.name,
        state: stateOf(tool),
        definition: tool.accepted?.hash ?? null,
        waiting: tool.waiting?.hash ?? null,
        odd: tool.odd,
      })),
    })),
  }
}
