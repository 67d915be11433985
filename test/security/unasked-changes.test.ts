import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Sandbox } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { until } from '@countersign/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const MISSING: Sandbox = { status: () => ({ kind: 'missing', why: 'not installed', fix: 'install it' }) }
const PATCH = '--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n one\n+two\n'

let world: World
beforeEach(async () => {
  world = await openWorld({
    policy: 'version: 1\npreset: balanced\n',
    wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }),
  })
  for (const folder of ['lib/sub', 'out', 'links']) mkdirSync(join(world.workspace, folder), { recursive: true })
  world.file('a.js', 'one\n')
  world.file('lib/b.js', 'b\n')
  world.file('lib/sub/c.js', 'c\n')
  world.file('fix.patch', PATCH)
  shell('tar cf a.tar -C lib b.js sub; tar czf a.tgz lib')
  for (const name of ['a.js', 'lib/b.js', 'lib/sub/c.js']) utimesSync(join(world.workspace, name), 1, 1)
  await nextTick()
})
afterEach(() => world.close())

async function nextTick(): Promise<void> {
  const start = Date.now()
  await until('the next tick of the clock', () => Date.now() > start + 15 || undefined)
}

function shell(text: string): void {
  execFileSync('bash', ['-c', text], { cwd: world.workspace })
}

function command(text: string): Call {
  return { tool: 'execute_command', source: 'builtin', args: { command: text }, containable: true }
}

async function supervision(text: string): Promise<string> {
  return (await world.gate.explain(command(text))).verdict.supervision
}

describe('a command that only changes ordinary files of the workspace, without a sandbox', () => {
  it.each([
    ['mv a.js out', 'out/a.js'],
    ['mv lib moved', 'moved/b.js', 'moved/sub/c.js'],
    ['cp -p a.js b.js', 'b.js'],
    ['cp -a lib copy', 'copy/b.js', 'copy/sub/c.js'],
    ['install -m 755 a.js run.js', 'run.js'],
    ['tar xf a.tar -C out', 'out/b.js', 'out/sub/c.js'],
    ['mkdir -p t/o; cp lib/b.js t/o/k.js; tar cf n.tar -C t o; tar xf n.tar', 'o/k.js'],
    ["tar cf n.tar --transform 's,lib,other,' lib; tar xf n.tar", 'other/b.js', 'other/sub/c.js'],
    ['mkdir -p new && tar xzf a.tgz -C new', 'new/lib/b.js', 'new/lib/sub/c.js'],
    ['patch -s -p1 < fix.patch', 'a.js'],
    ['gzip -k a.js', 'a.js.gz'],
    ['dd if=a.js of=b.js status=none', 'b.js'],
    ['split -l 1 a.js part-', 'part-aa'],
    ["cat > b.js <<'END'\nx\nEND", 'b.js'],
  ])('runs with a notice, and its changes count as unseen: %s', async (text, ...paths) => {
    expect(await supervision(text)).toBe('notify')
    expect(await world.gate.run(command(text), () => shell(text))).toMatchObject({ kind: 'completed' })
    const { files } = await world.ports.store.changes(world.workspace)
    const unseen = files.filter(({ content, seen }) => content !== seen).map(({ path }) => path)
    expect(unseen).toEqual(expect.arrayContaining(paths))
  })

  it.each([
    'cp -l a.js b.js',
    'cp -s a.js b.js',
    'ln a.js b.js',
    'ln -s a.js b.js',
    'cp --parents lib/b.js out',
    'mv a.js .envrc',
    'cp a.js hooks/pre-commit',
    'install -m 4755 a.js b.js',
    'install -o root a.js b.js',
    'install -s --strip-program=./x a.js b.js',
    'chmod u+s a.js',
    'chmod -R +x lib',
    'chmod 4755 a.js',
    'tar xPf a.tar',
    'mkdir -p t/.vscode; cp lib/b.js t/.vscode/k.js; tar cf n.tar -C t .vscode; tar xf n.tar',
    "tar cf n.tar --transform 's,lib,.vscode,' lib; tar xf n.tar",
    "tar cf n.tar --transform 's,l.b,x,' lib; tar xf n.tar",
    "tar xf a.tar --transform 's,b,c,'",
    'tar xf a.tar -I ./x',
    'tar xf a.tar --to-command=./x',
    'tar cf a.tar lib --checkpoint-action=exec=./x',
    'tar chf b.tar lib',
    'tar cf host:b.tar lib',
    'tar cf b.tar -T list',
    'zip -q b.zip a.js -TT ./x',
    'zip -qm b.zip a.js',
    'gzip -r lib',
    'gunzip -N a.tgz',
    'dd if=/dev/zero of=b.js',
    'dd if=a.js of=/dev/sda',
    'split --filter=./x a.js',
    'split --additional-suffix=/../x a.js part-',
    'fallocate -l 100G b.bin',
    'patch -d lib -p1 < fix.patch',
    'patch -o ../x -p1 < fix.patch',
    'patch < fix.patch',
    'TAR_OPTIONS=--to-command=./x tar xf a.tar',
    'rm a.js',
  ])('asks about %s', async (text) => {
    expect(['confirm', 'manual']).toContain(await supervision(text))
  })

  it('asks where a link or a second name is in the way', async () => {
    const at = (name: string) => join(world.workspace, name)
    symlinkSync('/etc', at('links/out'))
    symlinkSync('../a.js', at('lib/sub/up'))
    linkSync(at('fix.patch'), at('same.js'))
    shell('tar cf linked.tar lib')
    for (const text of [
      'cp a.js links/out',
      'cp -r links copy',
      'mv links moved',
      'mv lib/sub/up up',
      'mv lib moved',
      'cp a.js same.js',
      'echo x > same.js',
      'dd if=a.js of=same.js',
      'tar xf linked.tar -C out',
      'tar cf b.tar links',
      'cd missing; echo x > a.js',
    ])
      expect(`${text}: ${await supervision(text)}`).toMatch(/: (?:confirm|manual)$/)
  })

  it('is refused if the archive or the patch that was read has changed', async () => {
    const targets = ['tar xf a.tar -C out', 'patch -s -p1 < fix.patch']
    for (const [index, text] of targets.entries()) {
      const file = index === 0 ? 'a.tar' : 'fix.patch'
      let looks = 0
      await world.close()
      world = await openWorld({
        policy: 'version: 1\npreset: balanced\n',
        wrapPorts: (ports) => ({
          ...ports,
          sandbox: MISSING,
          targets: {
            ...ports.targets,
            look: async (path, cwd, budget) => {
              // The third look at it is the last before the effect.
              if (path.endsWith(file) && ++looks === 3) writeFileSync(join(world.workspace, file), 'other')
              return ports.targets.look(path, cwd, budget)
            },
          },
        }),
      })
      mkdirSync(join(world.workspace, 'out'))
      world.file('a.js', 'one\n')
      world.file('fix.patch', PATCH)
      shell('tar cf a.tar a.js')
      expect(await world.gate.run(command(text), () => 'ran')).toMatchObject({ kind: 'refusal', outcome: 'stale' })
    }
  })
})

describe('an unseen change, without a sandbox', () => {
  beforeEach(async () => {
    world.file('job.sh', 'echo job\n')
    world.file('Makefile', 'job:\n\techo job\n')
    world.file('job.js', "console.log('job')\n")
    // A file of the same tick as a call counts as changed by it.
    await nextTick()
    await world.gate.run(command("echo 'print(2)' > other.py"), () => shell("echo 'print(2)' > other.py"))
  })

  it.each(['sh job.sh', 'make job', 'node job.js'])(
    'is not asked about by code that can’t load it: %s',
    async (text) => {
      expect(await supervision(text)).not.toBe('confirm')
    },
  )

  it.each(['pytest', 'npm test', 'python3 other.py', 'sh job.sh; python3 other.py'])(
    'is asked about by a command that could load it: %s',
    async (text) => {
      world.file('package.json', '{"scripts":{"test":"pytest"}}')
      expect(await supervision(text)).toBe('confirm')
      expect((await world.gate.explain(command(text))).verdict.contributors).toContainEqual(
        expect.objectContaining({ id: 'builtin.unseen-changes' }),
      )
    },
  )
})
