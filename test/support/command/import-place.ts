import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Carried, Source } from '@countersign/hosts'
import { expect } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { runInProcess } from './run-in-process.ts'

/** A project and a home, where foreign settings are imported. */
export function importPlace() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  const run = (words: readonly string[]) => runInProcess(words, at)
  const read = async (from: Source, name: string, text: string) => {
    writeFileSync(join(at.cwd, name), text)
    const { json, stderr } = await run(['policy', 'import', '--from', from, '--file', name, '--json'])
    expect(stderr).toBe('')
    return json() as { readonly policy: string; readonly carried: readonly Carried[] }
  }
  return { ...at, run, read }
}

/** A rule as one line: the supervision and the conditions, or `left`. */
export function lines(carried: readonly Carried[]): readonly string[] {
  return carried.map((one) => {
    if (one.kind === 'left') return `left: ${one.text}`
    // Whether servers are left out is tested by calls, below.
    const { not: _, ...when } = one.when
    return `${one.supervision}${one.floor ? '!' : ''} ${JSON.stringify(when)}`
  })
}
