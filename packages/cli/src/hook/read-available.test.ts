import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it } from 'vitest'
import { readAvailable, readUpTo } from './read-available.ts'

const MOST = 1_000_000

it('keeps what came before a pipe was empty for a moment', () => {
  const path = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(path, constants.O_WRONLY)
  try {
    writeSync(writing, '{"one":1,')
    expect(readAvailable(reading, MOST)).toEqual({ bytes: Buffer.from('{"one":1,'), ended: false })
    writeSync(writing, '"two":2}')
    closeSync(writing)
    expect(readAvailable(reading, MOST)).toEqual({ bytes: Buffer.from('"two":2}'), ended: true })
  } finally {
    closeSync(reading)
  }
})

it('stops reading an event that comes in parts and never ends (L10)', async () => {
  const path = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(path, constants.O_WRONLY)
  let parts = 0
  async function* endless() {
    for (; parts < 1_000; parts += 1) yield Buffer.alloc(MOST / 10)
  }
  try {
    writeSync(writing, '{')
    expect((await readUpTo(reading, endless, MOST)).length).toBeGreaterThan(MOST)
    expect(parts).toBeLessThan(20)
  } finally {
    closeSync(writing)
    closeSync(reading)
  }
})
