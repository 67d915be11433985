import { join } from 'node:path'
import { CountersignError, formatProblem, loadPolicyFile, safeText } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, withHomeLock } from '@countersign/node'
import { existingHome } from '../../home/existing-home.ts'
import { CHECKERS } from '../../policy/policy-sources.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'

const HEAD = `# Written by \`countersign mcp trust\`. A server that is trusted is believed when it says of a tool that it only
# reads: such calls run up to low risk. Nothing else that a server says lowers a level.
version: 1
`
const ROW = /^ {2}"([A-Za-z0-9][A-Za-z0-9._-]{0,63})": \{ trust: hints \}$/

/** Marks a server as trusted in a separate file of the person's own policy. A managed policy can still forbid it. */
export async function trustServer(label: string, untrust: boolean, io: Io): Promise<void> {
  const home = existingHome(io)
  if (!ROW.test(rowOf(label)))
    throw new CountersignError(
      'CS_USAGE',
      `\`${safeText(label)}\` is not the name of a server; see \`countersign mcp tools\``,
    )
  const was = readTrusted(home).includes(label)
  if (was === !untrust) return done(label, was, io)
  if (!untrust) {
    sayText(io, safeText(`Tools that ${label} marks as read-only will run without approval, up to low risk.`))
    const otherwise = 'trusting a server needs a terminal; run this in one'
    if (!(await isTyped(label, 'To trust it, type its name: ', io, otherwise))) {
      io.exit(EXIT.failed.code)
      return done(label, false, io)
    }
  }
  withHomeLock(home, () => {
    const others = readTrusted(home).filter((one) => one !== label)
    writeTrusted(home, untrust ? others : [...others, label].sort())
  })
  done(label, !untrust, io)
}

function done(label: string, trusted: boolean, io: Io): void {
  if (io.json) printJson(io, { server: label, trusted })
  else say(io, trusted ? `${safeText(label)} is trusted` : `${safeText(label)} is not trusted: its hints only raise`)
}

function pathOf(home: Home): string {
  return join(home.policyFolder, 'mcp-servers.yaml')
}

function rowOf(label: string): string {
  return `  "${label}": { trust: hints }`
}

/** The labels in the file. A file that a person edited is never overwritten. */
function readTrusted(home: Home): readonly string[] {
  const text = readOwnFile(pathOf(home), 262_144, 'CS_POLICY_READ')
  if (text === undefined || text === HEAD) return []
  const rows = text.slice(`${HEAD}servers:\n`.length).trimEnd().split('\n')
  const labels = rows.map((row) => ROW.exec(row)?.[1])
  if (!text.startsWith(`${HEAD}servers:\n`) || labels.includes(undefined))
    throw new CountersignError('CS_POLICY_READ', `\`${pathOf(home)}\` was edited; change it by hand, under \`servers\``)
  return labels.filter((label) => label !== undefined)
}

function writeTrusted(home: Home, labels: readonly string[]): void {
  const text = labels.length === 0 ? HEAD : `${HEAD}servers:\n${labels.map(rowOf).join('\n')}\n`
  const loaded = loadPolicyFile({ layer: 'user', name: pathOf(home), text }, { checkers: CHECKERS })
  if (loaded.kind === 'refused')
    throw new CountersignError('CS_POLICY_INVALID', loaded.problems.map(formatProblem).join('; '))
  openOwnFolder(home.policyFolder, 'CS_POLICY_READ')
  replaceOwnFile(pathOf(home), text)
}
