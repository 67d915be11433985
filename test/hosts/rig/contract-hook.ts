/**
 * A hook that reads events and prints answers by the contract of its host. Keeps what it read in a folder and answers with the
 * folder's `answer.json`. Run as: node contract-hook.ts <host> <folder> <event>
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractOf, type HostEvent, isHostName, NOTHING } from '@countersign/hosts'

const [host = '', folder = '', event = ''] = process.argv.slice(2)
if (!isHostName(host)) throw new Error(`\`${host}\` is not a host`)
const contract = contractOf(host)

function keep(read: unknown): void {
  mkdirSync(join(folder, 'read'), { recursive: true })
  const stamp = `${process.hrtime.bigint()}`.padStart(20, '0')
  writeFileSync(join(folder, 'read', `${stamp}-${event}.json`), JSON.stringify(read))
}

function said(read: HostEvent): string | null {
  if (read.kind !== 'before-tool' || read.transcript === null) return null
  return contract.lastWords(readFileSync(read.transcript, 'utf8').slice(-256 * 1024)).said
}

try {
  const read = contract.read(JSON.parse(readFileSync(0, 'utf8')), event)
  const answer = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8'))
  const printed = read.kind === 'before-tool' ? contract.print(answer, event) : NOTHING
  keep({ ...read, said: said(read) })
  process.stdout.write(printed.stdout)
  process.stderr.write(printed.stderr)
  process.exitCode = printed.exitCode
} catch (error) {
  keep({ kind: 'failed', error: String(error) })
  process.exitCode = 2
}
