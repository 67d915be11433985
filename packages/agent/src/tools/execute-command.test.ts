import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@countersign/testing/process-alive'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, vi } from 'vitest'
import { runTool } from './tool-run.fixture.ts'

const SLOW = { timeout: 30_000, interval: 20 }

/** A shell with a child and a grandchild in the background, which record their process ids. */
const TREE = `bash -c 'sleep 600 & echo $! >> pids; wait' & echo $! >> pids; echo $$ >> pids; wait`

async function pidsIn(folder: string): Promise<readonly number[]> {
  return vi.waitFor(() => {
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids).toHaveLength(3)
    return pids
  }, SLOW)
}

describe('execute_command', () => {
  it('streams both outputs as they come, and returns them to the model', async () => {
    const { text, streamed } = await runTool(
      'execute_command',
      { command: 'echo out; echo err >&2' },
      temporaryFolder(),
    )
    expect(text.split('\n').sort()).toEqual(['', 'err', 'out'])
    expect([...streamed].sort()).toEqual(['stderr: err\n', 'stdout: out\n'])
  })

  it('runs in the workspace or a subfolder, without a terminal and without input', async () => {
    const folder = temporaryFolder()
    const command =
      'pwd; cat; (: < /dev/tty) 2>/dev/null && echo terminal || echo none; echo "inside $COUNTERSIGN_INSIDE"'
    expect((await runTool('execute_command', { command }, folder)).text).toBe(`${folder}\nnone\ninside agent\n`)
    const made = await runTool('execute_command', { command: 'mkdir sub' }, folder)
    expect(made.text).toBe('it ended with exit code 0 and no output')
    expect((await runTool('execute_command', { command: 'pwd', cwd: 'sub' }, folder)).text).toBe(`${folder}/sub\n`)
  })

  it('fails when the command fails, with its exit code and its output', async () => {
    const failing = runTool('execute_command', { command: 'echo no; exit 3' }, temporaryFolder())
    await expect(failing).rejects.toMatchObject({ name: 'CommandFailed', message: 'exit code 3', output: 'no\n' })
  })

  it('keeps the start and the end of a long output', async () => {
    const { text, streamed } = await runTool(
      'execute_command',
      { command: 'echo first; yes | head -c 3000000; echo last' },
      temporaryFolder(),
    )
    expect(text.length).toBeLessThan(31_000)
    expect(text).toMatch(/^first\n.*\[29\d{5} characters are left out here\]\n.*last\n$/s)
    expect(streamed.join('').length).toBeLessThan(1_200_000)
  })

  it('kills the whole process tree on timeout', async () => {
    const folder = temporaryFolder()
    const running = runTool('execute_command', { command: TREE, timeout_ms: 1000 }, folder)
    await expect(running).rejects.toThrow('took longer than 1000 ms')
    // On a busy machine, some of them did not get as far as recording it.
    const pids = existsSync(join(folder, 'pids'))
      ? readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
      : []
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), SLOW)
  }, 60_000)

  it('kills the whole process tree when aborted', async () => {
    const folder = temporaryFolder()
    const abort = new AbortController()
    const running = runTool('execute_command', { command: TREE }, folder, abort.signal)
    const ended = expect(running).rejects.toThrow('was stopped')
    const pids = await pidsIn(folder)
    expect(pids.filter(isAlive)).toEqual(pids)
    abort.abort()
    await ended
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), SLOW)
  }, 60_000)

  it('ends background processes, also in their own session, and reports it', async () => {
    const folder = temporaryFolder()
    const started = (program: string) => `${program} sh -c 'echo $$ >> pids; exec sleep 600' >/dev/null 2>&1 &`
    const command = `touch pids; ${started('setsid')} ${started('nohup')} until [ $(wc -l < pids) = 2 ]; do sleep 0.01; done`
    const { text } = await runTool('execute_command', { command }, folder)
    expect(text).toBe('it ended with exit code 0 and no output; ended 2 processes it left behind')
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids.filter(isAlive)).toEqual([])
  }, 60_000)

  it('ends processes in their own session when aborted', async () => {
    const folder = temporaryFolder()
    const abort = new AbortController()
    const command = `setsid sh -c 'echo $$ >> pids; exec sleep 600' & (sleep 600 & echo $! >> pids); echo $$ >> pids; sleep 600`
    const ended = expect(runTool('execute_command', { command }, folder, abort.signal)).rejects.toThrow('was stopped')
    const pids = await pidsIn(folder)
    abort.abort()
    await ended
    expect(pids.filter(isAlive)).toEqual([])
  }, 60_000)

  it('passes no model key to the command', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'one')
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'two')
    vi.stubEnv('GEMINI_API_KEY', 'three')
    vi.stubEnv('OTHER_SETTING', 'kept')
    try {
      const command = 'echo "$OPENAI_API_KEY:$ANTHROPIC_AUTH_TOKEN:$GEMINI_API_KEY:$OTHER_SETTING"'
      expect((await runTool('execute_command', { command }, temporaryFolder())).text).toBe(':::kept\n')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('runs nothing after it is aborted, or in a missing folder', async () => {
    const folder = temporaryFolder()
    await expect(runTool('execute_command', { command: 'touch x' }, folder, AbortSignal.abort())).rejects.toThrow()
    await expect(runTool('execute_command', { command: 'touch x', cwd: 'nope' }, folder)).rejects.toThrow(
      'no longer exists',
    )
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })
})
