import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let world: World
beforeEach(async () => {
  world = await openWorld()
  const outside = join(dirname(world.workspace), 'outside')
  for (const folder of [join(outside, '.ssh'), ...['src', 'conf', 'many'].map((name) => join(world.workspace, name))])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(outside, '.ssh/id_rsa'), 'invented')
  writeFileSync(join(outside, '.ssh/id_rsa.pub'), 'invented')
  world.file('src/a.ts', '')
  world.file('notes.md', '')
  world.file('conf/id_ed25519', 'invented')
  symlinkSync(join(outside, '.ssh'), join(world.workspace, 'lib'))
  symlinkSync(join(outside, '.ssh/id_rsa'), join(world.workspace, 'src/plain.txt'))
  symlinkSync('../home', join(world.workspace, 'xgate'))
  symlinkSync('src', join(world.workspace, 'source'))
})
afterEach(() => world.close())

/** Not containable: as on a machine without a sandbox. */
const risk = async (command: string) => (await world.gate.explain({ tool: 'execute_command', args: { command } })).risk

describe('a word with wildcards is rated by what it really matches', () => {
  it.each([
    ['cat l*/id_rsa', 'high'],
    ['cat ./l?b/id_*', 'high'],
    ['cat [l]ib/*', 'high'],
    ['cat */id_rsa', 'high'],
    ['cat src/*.txt', 'high'],
    ['cd src && cat *.txt', 'high'],
    ['cat conf/*', 'high'],
    ['cat < src/pl*', 'high'],
    ['cp l*/id_* src/', 'high'],
    ['cat xg*/store*', 'critical'],
  ])('%s: %s', async (command, level) => {
    expect(await risk(command)).toBe(level)
  })

  it.each([
    ['cat *.md', 'none'],
    ['cat src/*.ts', 'none'],
    ['cat sourc*/*.ts', 'none'],
    ['wc -l s*/a.ts', 'none'],
    ['cat nothing*/id', 'none'],
    ['ls -d s*', 'none'],
    ['cat li*/*.pub', 'none'],
    ['grep -n x -- *.md', 'none'],
  ])('%s matches ordinary files only: %s', async (command, level) => {
    expect(await risk(command)).toBe(level)
  })

  it('matches leading dots as the shell would', async () => {
    symlinkSync(join(dirname(world.workspace), 'outside/.ssh/id_rsa'), join(world.workspace, 'many/.hidden'))
    expect(await risk('cat many/*')).toBe('none')
    expect(await risk('cat many/.h*')).toBe('high')
    expect(await risk('shopt -s dotglob; cat many/*')).toBe('high')
  })

  it('keeps the rating by the folder when there are too many names', async () => {
    for (let at = 0; at < 1_001; at += 1) world.file(`many/f${at}`, '')
    expect(await risk('cat many/f*')).toBe('none')
  })
})
