import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { describeContained } from '@countersign/testing/contain/contained'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A stdio server in bash. It tries to write in and outside the workspace before it answers, and ignores the end of its input. */
const SERVER = `
{ while :; do date +%N > beat; sleep 0.05; done; } 2>/dev/null &
trap '' TERM HUP INT
while read -r line; do
  id=$(sed 's/.*"id":\\([0-9]*\\).*/\\1/' <<< "$line")
  { echo in > made; } 2>/dev/null && inside=yes || inside=no
  { echo out > "$1/outside"; } 2>/dev/null && outside=yes || outside=no
  { echo > /dev/tcp/127.0.0.1/$2; } 2>/dev/null && network=yes || network=no
  echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,\\"result\\":{\\"inside\\":\\"$inside\\",\\"outside\\":\\"$outside\\",\\"network\\":\\"$network\\",\\"secret\\":\\"$MY_TOKEN\\"}}"
done
wait
`

function start(...flags: readonly string[]) {
  const root = temporaryFolder()
  const [cwd, home, out] = [join(root, 'project'), join(root, 'home'), join(root, 'out')]
  for (const folder of [cwd, out]) mkdirSync(folder)
  writeFileSync(join(cwd, 'server.sh'), SERVER)
  const words = [
    'mcp',
    '--home',
    home,
    ...flags.map((one) => one.replace('OUT', out)),
    '--',
    'bash',
    'server.sh',
    out,
    '9',
  ]
  const child = spawn(process.execPath, [...COMMAND, ...words], {
    cwd,
    env: { ...COMMAND_ENV, MY_TOKEN: 'invented' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { cwd, out, child, ended: endOf(child) }
}

/** Sends a request, and returns the result of the first answer. */
async function ask(child: ChildProcess): Promise<unknown> {
  let text = ''
  child.stdout?.on('data', (chunk: string) => {
    text += chunk
  })
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  await until('an answer', () => text.includes('\n'))
  return (JSON.parse(text) as { readonly result: unknown }).result
}

describeContained('countersign mcp --contain', () => {
  it('runs a server that can change only the workspace', async () => {
    const { cwd, out, child } = start('--contain')
    expect(await ask(child)).toEqual({ inside: 'yes', outside: 'no', network: 'no', secret: '' })
    expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('in\n')
    expect(existsSync(join(out, 'outside'))).toBe(false)
  })

  it('takes the bounds of `countersign contain`', async () => {
    const { cwd, out, child } = start('--contain', '--read-only', '--write', 'OUT')
    expect(await ask(child)).toMatchObject({ inside: 'no', outside: 'yes' })
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    expect(existsSync(join(out, 'outside'))).toBe(true)
  })

  it('ends the server with the proxy, even if the proxy is killed and the server ignores it', async () => {
    const { cwd, child } = start('--contain')
    await ask(child)
    const beat = (): number => statSync(join(cwd, 'beat'), { throwIfNoEntry: false })?.mtimeMs ?? 0
    await until('a beat', () => beat() > 0)
    child.kill('SIGKILL')
    let last = 0
    const isStill = (): boolean => {
      const before = last
      last = beat()
      return last === before
    }
    await until('the last beat', isStill, { everyMs: 700 })
  })
})

describe('countersign mcp --contain, where it can’t', () => {
  it.each([
    [['--read-only'], '`--read-only` needs `--contain`'],
    [['--write', 'OUT'], '`--write` needs `--contain`'],
  ])('refuses %j', async (flags, message) => {
    const { ended } = start(...flags)
    const { code, stderr } = await ended
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })
})
