import { CountersignError, safeText } from '@countersign/core'
import { knownLabels, type LabelView, viewLabel } from '@countersign/mcp'
import { type Home, openCrypto } from '@countersign/node'
import { existingHome } from '../../home/existing-home.ts'
import { homeFlag } from '../../home/inbox-address.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../../terminal/io.ts'
import { dataColumns } from '../../terminal/layout.ts'
import { labelLines, stateOf } from './tool-table.ts'

/** Lists the tools of one server, or of all. Exit code 1 when a tool is in quarantine. */
export function listTools(server: string | undefined, io: Io): void {
  const home = existingHome(io)
  const crypto = openCrypto(home)
  const views =
    server === undefined ? knownLabels(home).map((label) => viewLabel(home, label, crypto)) : [viewOf(home, server)]
  if (views.some(isWaiting)) io.exit(EXIT.failed.code)
  if (io.json) {
    printJson(io, views.map(viewData))
    return
  }
  if (views.length === 0) say(io, 'no servers yet; `countersign mcp wrap` puts those of a client behind the gate')
  for (const view of views) {
    for (const line of labelLines(view, dataColumns(io))) print(io, line)
    if (view.broken === null && isWaiting(view))
      say(
        io,
        `countersign: review the changes with \`countersign mcp accept ${safeText(view.label)}${homeFlag(home)}\``,
      )
  }
}

/** The servers known by a label; CS_USAGE when there are none. */
export function viewOf(home: Home, label: string): LabelView {
  const view = viewLabel(home, label, openCrypto(home))
  if (view.broken !== null || view.servers.length > 0) return view
  const known = knownLabels(home).slice(0, 10)
  const words =
    known.length === 0
      ? 'no server was ever started'
      : `known servers: ${known.map((one) => `\`${safeText(one)}\``).join(', ')}`
  throw new CountersignError('CS_USAGE', `unknown server \`${safeText(label)}\`; ${words}`)
}

function isWaiting({ broken, servers }: LabelView): boolean {
  return broken !== null || servers.some(({ tools }) => tools.some(({ waiting }) => waiting !== null))
}

function viewData({ label, broken, servers }: LabelView) {
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
