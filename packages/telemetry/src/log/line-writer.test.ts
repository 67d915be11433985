import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLineWriter } from './line-writer.ts'

const dropped = (count: number): string => `dropped ${count}`

/** A pipe with a reader that reads when the test wants. */
function pipe() {
  const path = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  let isOpen = true
  const closeReader = (): void => {
    if (isOpen) closeSync(reader)
    isOpen = false
  }
  onTestFinished(() => {
    closeReader()
    closeSync(writer)
  })
  const buffer = Buffer.alloc(64 * 1024)
  function read(): string {
    try {
      return buffer.toString('utf8', 0, readSync(reader, buffer))
    } catch {
      return '' // EAGAIN: nothing there yet
    }
  }
  return { writer, read, closeReader }
}

describe('a line writer', () => {
  it('writes lines in order', async () => {
    const path = join(temporaryFolder(), 'log')
    const fd = openSync(path, 'w')
    onTestFinished(() => closeSync(fd))
    const writer = createLineWriter(fd, dropped)
    for (let at = 0; at < 1_000; at += 1) writer.write(`line ${at}`)
    await writer.flush(30_000)
    expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join(''))
  })

  it('neither waits for a reader that does not read, nor keeps everything for it', async () => {
    const { writer: fd, read } = pipe()
    const writer = createLineWriter(fd, dropped)
    const line = 'x'.repeat(1_023)
    for (let at = 0; at < 4_096; at += 1) writer.write(line)
    let text = ''
    await until('the line about dropped lines', () => {
      text += read()
      return text.includes('dropped') && text.endsWith('\n') ? true : undefined
    })
    const lines = text.trimEnd().split('\n')
    const missing = Number(/^dropped (\d+)$/.exec(lines.at(-1) ?? '')?.[1])
    expect(lines.length - 1 + missing).toBe(4_096)
    expect(lines.length).toBeLessThan(1_100)
  })

  it('stops where nobody reads any more', async () => {
    const { writer: fd, closeReader } = pipe()
    const writer = createLineWriter(fd, dropped)
    closeReader()
    writer.write('one')
    await writer.flush(30_000)
    writer.write('two')
    await writer.flush(30_000)
  })
})
