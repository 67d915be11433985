import { join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from './home.ts'

const MAX_BYTES = 64 * 1_048_576

/** Every version of the list of gates, in a home whose journal came back from a shared store. */
export function readGateLists(home: Pick<Home, 'dir'>): readonly string[] {
  const content = readOwnFile(pathOf(home), MAX_BYTES, 'CS_GATES')
  return content === undefined ? [] : content.split('\n').filter((line) => line !== '')
}

/** Keeps the versions, one a line: they tell whose checkpoints count. */
export function writeGateLists(home: Pick<Home, 'dir'>, lists: readonly string[]): void {
  const text = lists.map((list) => `${list}\n`).join('')
  if (text.length > MAX_BYTES)
    throw new CountersignError('CS_GATES', 'the list of gates is too long to be kept in a home')
  replaceOwnFile(pathOf(home), text)
}

/** Its name in the home. */
export const GATE_LISTS = 'gate-lists.jsonl'

function pathOf(home: Pick<Home, 'dir'>): string {
  return join(home.dir, GATE_LISTS)
}
