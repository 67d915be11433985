import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { containedWorld, describeContained } from '@countersign/testing/contain/contained'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A project whose script writes a folder beside it. */
function project() {
  const root = temporaryFolder()
  const [cwd, shared, home] = [join(root, 'project'), join(root, 'shared'), join(root, 'home')]
  for (const folder of [cwd, shared]) mkdirSync(folder)
  writeFileSync(join(cwd, 'build.sh'), `echo built > ${shared}/out\n`)
  const exec = (...argv: readonly string[]) => spawnCli(['exec', '--home', home, ...argv], cwd)
  const cli = (...argv: readonly string[]) => runInProcess(argv, { cwd, home })
  return { cwd, shared, home, exec, cli }
}

async function startHeld({ home, cwd }: ReturnType<typeof project>, ...argv: readonly string[]) {
  const child = startCli(['exec', '--home', home, ...argv], cwd)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = endOf(child)
  const mark = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (chunk: string) => {
      text += chunk
      const found = /held as (\w+):/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(({ stderr }) => reject(new Error(`it was never held: ${stderr}`)))
  })
  return { mark, ended }
}

describeContained('an exception for one folder, through exec', () => {
  it('is offered with what was refused, and puts this run and the next into the sandbox', async () => {
    const at = project()
    const { shared } = at
    const refused = await at.exec('--', 'bash build.sh')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(
      `countersign: sandbox: probably refused access to \`${shared}/out\`; \`exec --outside\` asks for approval`,
    )

    const { mark, ended } = await startHeld(at, '--outside', '--', 'bash build.sh')
    const card = (await at.cli('held', mark)).stdout
    expect(card).toContain('outside the sandbox')
    expect(card.replace(/\s+/g, ' ')).toContain(
      `when this command last ran: · probably refused access to \`${shared}/out\``,
    )
    expect(card).toContain(`--grant exact:${shared} --for 10m`)
    expect(JSON.parse((await at.cli('held', mark, '--json')).stdout)).toMatchObject({
      refused: [{ kind: 'read', exception: { use: 'write', name: shared } }],
    })
    expect((await at.cli('approve', mark, '--grant', `exact:${shared}`)).code).toBe(0)
    expect((await ended).code).toBe(0)
    expect(readFileSync(join(shared, 'out'), 'utf8')).toBe('built\n')

    const again = await at.exec('--', 'bash build.sh')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect((await at.cli('grants', 'list')).stdout.replace(/\s+/g, ' ')).toContain(
      `, in the sandbox, also writing \`${shared}\``,
    )
    const history = JSON.parse((await at.cli('history', '--json')).stdout) as readonly object[]
    expect(history.slice(0, 2)).toMatchObject([
      { contain: expect.stringContaining(shared) },
      { contain: expect.stringContaining(shared) },
    ])
  })

  it('does not open anything else', async () => {
    const at = project()
    writeFileSync(join(at.cwd, 'build.sh'), `echo x > ${at.shared}/out; echo x > ${at.shared}2/out\n`)
    mkdirSync(`${at.shared}2`)
    await at.exec('--', 'bash build.sh')
    const { mark, ended } = await startHeld(at, '--outside', '--', 'bash build.sh')
    await at.cli('approve', mark, '--grant', `exact:${at.shared}`)
    expect((await ended).code).not.toBe(0)
    expect(existsSync(join(at.shared, 'out'))).toBe(true)
    expect(existsSync(join(`${at.shared}2`, 'out'))).toBe(false)
  })
})

describeContained('exceptions that a run can suggest', () => {
  const exceptionsOf = async (output: string, bounds = {}) => {
    const world = containedWorld()
    mkdirSync(join(world.root, 'other/.hidden'), { recursive: true })
    const script = output.replaceAll('$ROOT', world.root).replaceAll('$WORK', world.workspace)
    const { sandbox } = await world.run(`cat >&2 <<'END'\n${script}\nEND\nexit 1`, { bounds })
    return sandbox.refused
      .flatMap(({ exception }) => exception ?? [])
      .map(({ use, name }) => [use, name.replace(world.root, '')])
  }

  it.each([
    ['cat: $ROOT/other/a: No such file or directory', [['write', '/other']]],
    ['cat: $ROOT/other: No such file or directory', [['read', '/other']]],
    ['cat: $ROOT/other/b/c/d: No such file or directory', [['write', '/other']]],
    ['curl: (6) Could not resolve host: example.com', [['network', 'example.com']]],
  ])('%s', async (output, expected) => {
    expect(await exceptionsOf(output)).toEqual(expected)
  })

  it('offers the workspace to a command that was judged to only read', async () => {
    const output = 'touch: cannot touch $WORK/a: Read-only file system'
    expect(await exceptionsOf(output, { workspace: 'read' })).toEqual([['write', '/workspace']])
  })

  // SECURITY: A15, the output may lie: these would open the gate, credentials, the system or everything around the workspace.
  describe('never', () => {
    it.each([
      ['cat: $ROOT/gate/policy.yaml: No such file or directory'],
      ['cat: $ROOT/gate/keys/x: No such file or directory'],
      ['cat: $ROOT/x: No such file or directory'],
      ['cat: $ROOT/other/.hidden/x: No such file or directory'],
      ['touch: cannot touch /etc/x: Read-only file system'],
      ['touch: cannot touch /usr/lib/x: Read-only file system'],
      ['touch: cannot touch /x: Read-only file system'],
      ['cat: /proc/1/root/x: No such file or directory'],
      ['cat: /run/user/0/bus: No such file or directory'],
      ['touch: cannot touch $WORK/.git/hooks/x: Read-only file system'],
      ['Network is unreachable'],
      // The sandbox's own loopback would answer.
      ['curl: (7) Failed to connect to 127.0.0.1 port 3000'],
      ['Error: connect ECONNREFUSED ::1:5432'],
    ])('%s', async (output) => {
      expect(await exceptionsOf(output)).toEqual([])
    })
  })
})
