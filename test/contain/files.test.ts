import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { containedWorld, describeContained, RUNNERS } from '@countersign/testing/contain/contained'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

describeContained('files', () => {
  describe.each(RUNNERS)('as %s', (runner) => {
    it('writes the workspace', async () => {
      const world = containedWorld(runner)
      mkdirSync(join(world.workspace, 'src'))
      expect(await world.run('echo a > a && echo b > src/b && mkdir c && cat a src/b')).toMatchObject({
        how: 'exited',
        exitCode: 0,
        output: 'a\nb\n',
        sandbox: { refused: [], restored: [], line: null },
      })
      expect(readFileSync(join(world.workspace, 'src/b'), 'utf8')).toBe('b\n')
    })

    it('changes nothing in a read-only workspace', async () => {
      const world = containedWorld(runner)
      writeFileSync(join(world.workspace, 'a'), 'kept')
      const ended = await world.run('echo x > a; rm -f a; echo x > b; cat a', { bounds: { workspace: 'read' } })
      expect(ended.output).toContain('kept')
      expect(readdirSync(world.workspace)).toEqual(['a'])
      expect(ended.sandbox.refused).toEqual([])
      expect((await world.run('echo x > a', { bounds: { workspace: 'read' } })).sandbox).toMatchObject({
        refused: [{ kind: 'write', what: join(world.workspace, 'a'), certainty: 'strong' }],
        line: expect.stringContaining('refused a change to'),
      })
    })

    it('does not write outside, also not through links', async () => {
      const world = containedWorld(runner)
      const outside = join(world.root, 'outside')
      mkdirSync(outside, { mode: 0o777 })
      writeFileSync(join(outside, 'file'), 'kept', { mode: 0o666 })
      symlinkSync(outside, join(world.workspace, 'out'))
      await world.run(
        `echo x > ${outside}/file; echo x > out/file; ln -s ${outside} mine; echo x > mine/file; rm -rf ${outside}/*; echo x > ../outside/new`,
      )
      expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('kept')
      expect(readdirSync(outside)).toEqual(['file'])
    })

    it.each(['/etc', '/usr', '/usr/local/bin', '/opt', '/', '/dev', '/proc/self', '/sys', '/boot', '/root', '/home'])(
      'does not write %s',
      async (folder) => {
        const world = containedWorld(runner)
        const name = `countersign-${process.pid}`
        const made = await world.run(`echo x > ${folder}/${name}`)
        expect(existsSync(join(folder, name))).toBe(false)
        if (folder !== homedir()) expect(made.exitCode).not.toBe(0)
      },
    )

    it('does not see the gate, the home, or other folders', async () => {
      const world = containedWorld(runner)
      writeFileSync(join(world.gate, 'key'), 'the-gates-key')
      const { output } = await world.run(
        `cat ${world.gate}/key; ls ${world.root}; ls -a ~/.ssh ~/.countersign ~/.aws ~/.claude; cat /etc/shadow /etc/ssl/private/*; ls /home /mnt /srv; echo end`,
      )
      expect(output).not.toContain('the-gates-key')
      expect(output).not.toContain('root:')
      expect(output).toContain('end')
      expect(output.match(/No such file|Permission denied/g)?.length).toBeGreaterThan(8)
    })

    it('does not see a gate’s home inside the workspace', async () => {
      const world = containedWorld(runner)
      const gate = join(world.workspace, 'tools/gate')
      mkdirSync(gate, { recursive: true, mode: 0o700 })
      writeFileSync(join(gate, 'key'), 'the-gates-key')
      const inside = { ...world, places: { ...world.places, gate } }
      Object.assign(world.places, inside.places)
      const { output } = await world.run(
        'cat tools/gate/key; mv tools moved; cat moved/gate/key; echo x > tools/gate/new',
      )
      expect(output).not.toContain('the-gates-key')
      expect(readFileSync(join(gate, 'key'), 'utf8')).toBe('the-gates-key')
      expect(existsSync(join(gate, 'new'))).toBe(false)
    })

    it('keeps other projects out of reach of hard links', async () => {
      const world = containedWorld(runner)
      const outside = join(world.root, 'outside')
      writeFileSync(outside, 'kept', { mode: 0o666 })
      linkSync(outside, join(world.workspace, 'linked'))
      mkdirSync(join(world.workspace, 'node_modules/pad'), { recursive: true })
      linkSync(outside, join(world.workspace, 'node_modules/pad/index.js'))
      await world.run('echo x > linked; echo x > node_modules/pad/index.js; chmod 777 linked; echo x >> linked')
      expect(readFileSync(outside, 'utf8')).toBe('kept')
    })

    it('makes no hard link to what is outside', async () => {
      const world = containedWorld(runner)
      const outside = join(world.root, 'outside')
      writeFileSync(outside, 'kept')
      await world.run(`ln ${outside} mine; ln /etc/passwd passwd; ln /bin/sh shell; echo x >> mine`)
      expect(readFileSync(outside, 'utf8')).toBe('kept')
      expect(readdirSync(world.workspace)).not.toContain('passwd')
    })

    it('hides the project’s secrets unless they are named', async () => {
      const world = containedWorld(runner)
      writeFileSync(join(world.workspace, '.env'), 'TOKEN=abc')
      writeFileSync(join(world.workspace, '.env.qa'), 'TOKEN=abc')
      writeFileSync(join(world.workspace, '.env.example'), 'TOKEN=')
      expect((await world.run('cat .env .env.qa; cp .env copy; cat copy')).output).not.toContain('abc')
      expect((await world.run('cat .env.example')).output).toBe('TOKEN=')
      expect((await world.run('cat .env', { bounds: { workspace: 'read' } })).output).not.toContain('abc')
      expect((await world.run('cat .env', { bounds: { credentials: ['project'] } })).output).toContain('abc')
      expect(readFileSync(join(world.workspace, '.env'), 'utf8')).toBe('TOKEN=abc')
    })

    it('opens more folders when told to, and protects names in them', async () => {
      const world = containedWorld(runner)
      const [write, read] = ['write', 'read'].map((name) => join(world.root, name)) as [string, string]
      for (const folder of [write, read]) mkdirSync(folder, { mode: 0o777 })
      mkdirSync(join(write, '.vscode'))
      writeFileSync(join(read, 'a'), 'seen')
      const ended = await world.run(
        `cat ${read}/a; echo x > ${read}/b; echo x > ${write}/b; echo x > ${write}/.vscode/b`,
        {
          bounds: { write: [write], read: [read] },
        },
      )
      expect(ended.output).toContain('seen')
      expect(readdirSync(read)).toEqual(['a'])
      expect(readdirSync(join(write, '.vscode'))).toEqual([])
      if (runner === 'this user') expect(existsSync(join(write, 'b'))).toBe(true)
    })
  })

  it.each(['/', '/proc', '/sys', '/dev', '/run', '/home', homedir()])('opens %s to nobody', async (folder) => {
    const world = containedWorld()
    const ended = await world.run('touch ran', { bounds: { read: [folder] } })
    expect(ended).toMatchObject({ how: 'not-started', exitCode: 125, sandbox: { refused: [{ kind: 'start' }] } })
    expect(readdirSync(world.workspace)).toEqual([])
  })

  it('keeps a link that another program would follow', async () => {
    const world = containedWorld()
    writeFileSync(join(world.workspace, 'AGENTS.md'), 'kept')
    symlinkSync('AGENTS.md', join(world.workspace, 'CLAUDE.md'))
    const ended = await world.run('rm CLAUDE.md; echo obey > CLAUDE.md; echo obey > AGENTS.md')
    expect(ended.exitCode).not.toBe(0)
    expect(ended.sandbox.restored).toMatchObject([{ path: join(world.workspace, 'CLAUDE.md') }])
    expect(lstatSync(join(world.workspace, 'CLAUDE.md')).isSymbolicLink()).toBe(true)
    expect(readlinkSync(join(world.workspace, 'CLAUDE.md'))).toBe('AGENTS.md')
    expect(readFileSync(join(world.workspace, 'AGENTS.md'), 'utf8')).toBe('kept')
  })

  it.each([
    ['a folder', '.vscode', 'tools/vscode', 'tools/vscode/tasks.json'],
    ['a file', '.envrc', 'tools/env', 'tools/env'],
    ['a folder of hooks', '.git/hooks', '../tools/hooks', 'tools/hooks/pre-commit'],
  ])('keeps %s that a link with a protected name leads to', async (_, link, target, file) => {
    const world = containedWorld()
    const path = join(world.workspace, file)
    for (const folder of [dirname(path), join(world.workspace, '.git')]) mkdirSync(folder, { recursive: true })
    writeFileSync(path, 'kept')
    symlinkSync(target, join(world.workspace, link))
    await world.run(`echo evil > ${file}; mv tools moved; rm -rf tools; mkdir -p tools; true`)
    expect(readFileSync(path, 'utf8')).toBe('kept')
  })

  it('takes away what makes a dangling link with a protected name lead somewhere', async () => {
    const world = containedWorld()
    mkdirSync(join(world.workspace, 'tools'))
    symlinkSync('tools/env', join(world.workspace, '.envrc'))
    const ended = await world.run('echo evil > tools/env')
    expect(ended.sandbox.restored).toMatchObject([{ path: join(world.workspace, 'tools/env') }])
    expect(readdirSync(join(world.workspace, 'tools'))).toEqual([])
  })

  it('keeps no code for runs with more rights in the cache', async () => {
    const world = containedWorld()
    await world.run('echo evil > ~/.cache/planted; ls ~/.cache')
    expect((await world.run('ls ~/.cache')).output).toContain('planted')
    for (const bounds of [{ credentials: ['npm'] }, { write: [temporaryFolder()] }])
      expect((await world.run('ls ~/.cache', { bounds })).output).not.toContain('planted')
  })

  it('starts again after a run has spoiled the cache', async () => {
    const world = containedWorld()
    await world.run('cd ~/.cache && for f in *; do rm -r "$f"; ln -s /nowhere/at/all "$f"; done')
    expect(await world.run('echo works')).toMatchObject({ exitCode: 0, output: 'works\n' })
  })
})
