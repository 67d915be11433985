import {
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { contractOf } from '@countersign/hosts'
import { describe, expect, it } from 'vitest'
import { prepare, ROWS, type SettingsRow, settings } from './prepare.ts'
import { dataOf, eventsIn, isKeptIn, withoutHooks } from './settings-data.ts'

const { applySetup, applyUndo, isChange, planSetup, planUndo } = settings
const isRoot = process.getuid?.() === 0
const NOW = 1_700_000_000_000

const RIGHT = ROWS.filter(({ refused }) => refused === undefined)
// Root may write into a read-only folder.
const REFUSED = ROWS.filter(({ refused, folderMode }) => refused !== undefined && !(isRoot && folderMode !== undefined))
/** What the file of a row calls our hook for: VS Code's settings only name the file that does. */
const eventsOf = ({ host }: SettingsRow) => (host === 'vscode' ? [] : contractOf(host).events.map(({ name }) => name))

/** Sets the agent of a row up, and returns its file before and after. */
function setUp(row: SettingsRow) {
  const world = prepare(row)
  const before = existsSync(world.file) ? readFileSync(world.file) : null
  const run = () => {
    const plan = planSetup(world.found, world.options)
    expect(plan.problem).toBeNull()
    applySetup(plan, world.home, NOW)
    return plan
  }
  run()
  const undo = () => {
    const plans = planUndo(world.home, null)
    for (const one of plans) applyUndo(one, world.home)
    return plans.map(({ how }) => how)
  }
  return { ...world, before, run, undo, text: () => readFileSync(world.file, 'utf8') }
}

describe('the settings of an agent', () => {
  it('are more than fifty files', () => {
    expect(ROWS.length).toBeGreaterThan(50)
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length)
  })

  it.each(RIGHT)('get the hooks and keep everything else: $name', (row) => {
    const { before, text, real } = setUp(row)
    const [was, now] = [before?.toString() ?? '', text()]
    expect(withoutHooks(dataOf(row.path, now))).toEqual(
      row.path.startsWith('.copilot') || row.path.startsWith('.cursor')
        ? { version: 1, ...(withoutHooks(dataOf(row.path, was)) as object) }
        : withoutHooks(dataOf(row.path, was)),
    )
    if (row.elsewhere) expect(now).toBe(was)
    else expect(eventsIn(now).toSorted()).toEqual(eventsOf(row).toSorted())
    if (row.ours) return
    expect(isKeptIn(was, now)).toBe(true)
    expect(now.startsWith('\ufeff')).toBe(was.startsWith('\ufeff'))
    if (was.includes('\r\n') && !/[^\r]\n/.test(was)) expect(now).not.toMatch(/[^\r]\n/)
    if (was.trim().length > 1 && !row.path.endsWith('.toml')) expect(now.endsWith('\n')).toBe(was.endsWith('\n'))
    if (was.includes('\n\t')) expect(now).toMatch(/\n\t+"[^"]*": [[{]/)
    if (row.mode !== undefined) expect((statSync(real).mode & 0o777).toString(8)).toBe(row.mode)
  })

  it.each(RIGHT)('do not change on a second run: $name', (row) => {
    const { found, options, text } = setUp(row)
    const now = text()
    expect(planSetup(found, options).files.filter(isChange)).toEqual([])
    expect(text()).toBe(now)
  })

  it.each(RIGHT)('are restored byte for byte: $name', (row) => {
    const { before, undo, file, text, accountHome, options, home } = setUp(row)
    const folders = row.text === undefined
    expect(undo().every((how) => how === 'restored')).toBe(true)
    if (before === null) expect(existsSync(file)).toBe(false)
    else if (row.ours) {
      expect(eventsIn(text())).toEqual([])
      expect(isKeptIn(text(), before.toString())).toBe(true)
    } else expect(readFileSync(file).equals(before)).toBe(true)
    if (row.link !== undefined) expect(lstatSync(file).isSymbolicLink()).toBe(true)
    if (folders) expect(readdirSync(accountHome)).toEqual([dirname(row.path)])
    expect(existsSync(join(home.dir, 'hosts', `${row.host}.json`))).toBe(false)
    expect(planUndo(options.home, null)).toEqual([])
  })

  it.each(RIGHT.filter(({ elsewhere }) => !elsewhere))(
    'lose only our hooks if they were edited since: $name',
    (row) => {
      const { before, undo, file, text } = setUp(row)
      const edited = row.path.endsWith('.toml') ? `${text()}\n[mine]\nx = 1\n` : text().replace('{', '{\n  "mine": 1,')
      writeFileSync(file, edited)
      expect(undo()).toContain('edited')
      expect(eventsIn(text())).toEqual([])
      const was = before === null || row.ours ? '' : before.toString()
      expect(dataOf(row.path, text())).toMatchObject({ mine: row.path.endsWith('.toml') ? { x: 1 } : 1 })
      if (!row.ours) expect(dataOf(row.path, text())).toMatchObject(dataOf(row.path, was) as object)
    },
  )

  it.each(
    RIGHT.filter(({ name }) =>
      ['two spaces', 'tabs', 'one line', 'Windows line ends', 'hooks of others on the same events'].includes(name),
    ),
  )('have no blanks left where our hooks were: $name', (row) => {
    const { before, undo, file, text } = setUp(row)
    writeFileSync(file, text().replace('"opus"', '"sonnet"'))
    undo()
    expect(text()).toBe(before?.toString().replace('"opus"', '"sonnet"'))
  })

  it.each(REFUSED)('are left alone, with one line that says why: $name', (row) => {
    const { found, options, file, home } = prepare(row)
    const before = row.isFolder || !existsSync(file) ? null : readFileSync(file)
    const plan = planSetup(found, options)
    const refused = (): string => {
      if (plan.problem !== null) return plan.problem.why
      try {
        applySetup(plan, home, NOW)
        return ''
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
    }
    expect(refused()).toContain(row.refused)
    expect(plan.problem?.why ?? '').not.toContain('\n')
    if (before !== null) expect(readFileSync(file).equals(before)).toBe(true)
    expect(planUndo(home, null)).toEqual([])
  })

  it('are left alone if they changed after the change was shown', () => {
    for (const text of ['{ "a": 1 }\n', undefined]) {
      const row = {
        name: '',
        host: 'claude-code',
        path: '.claude/settings.json',
        ...(text === undefined ? {} : { text }),
      } as const
      const { found, options, file, home } = prepare(row)
      const plan = planSetup(found, options)
      writeFileSync(file, '{ "a": 2 }\n')
      expect(() => applySetup(plan, home, NOW)).toThrow(expect.objectContaining({ code: 'CS_STALE' }))
      expect(readFileSync(file, 'utf8')).toBe('{ "a": 2 }\n')
      expect(planUndo(home, null)).toEqual([])
    }
  })

  it('keep an edit of a file that is ours alone: it is not written over, and undo only renames it', () => {
    const row = { name: '', host: 'opencode', path: '.config/opencode/plugins/countersign.js' } as const
    const { found, options, file, home, run, undo } = setUp(row)
    const edited = `${readFileSync(file, 'utf8')}// mine\n`
    writeFileSync(file, edited)
    const moved = planSetup(found, { ...options, launcher: ['/elsewhere/node', '/elsewhere/countersign.js'] })
    expect(moved.problem?.why).toContain('it was edited since')
    expect(undo()).toEqual(['set aside'])
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(`${file}.edited`, 'utf8')).toBe(edited)
    run()
    expect(planUndo(home, null)).toHaveLength(1)
  })

  it('become a link to a file of the person: undo leaves that file alone', () => {
    const row = { name: '', host: 'opencode', path: '.config/opencode/plugins/countersign.js' } as const
    const { file, undo, root } = setUp(row)
    const other = join(root, 'profile')
    writeFileSync(other, 'mine')
    rmSync(file)
    symlinkSync(other, file)
    undo()
    expect(readFileSync(other, 'utf8')).toBe('mine')
    expect(existsSync(file)).toBe(false)
  })

  it('are updated in place when this program has moved, with the same token', () => {
    const { found, options, home, text, undo, file, before } = setUp({
      name: '',
      host: 'claude-code',
      path: '.claude/settings.json',
      text: '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "mine" }] }] } }\n',
    })
    const was = text()
    applySetup(planSetup(found, { ...options, launcher: ['/new/node', '/new/countersign.js'] }), home, NOW)
    expect(text()).toBe(was.replaceAll(/\/opt\/node\/bin\/node '.*?countersign\.js'/g, '/new/node /new/countersign.js'))
    expect(undo()).toEqual(['restored'])
    expect(readFileSync(file).equals(before ?? Buffer.alloc(0))).toBe(true)
  })

  it('are where a variable says, too', () => {
    const { found, options, home, root, file } = prepare({
      name: '',
      host: 'claude-code',
      path: '.claude/settings.json',
      text: '{}',
    })
    const env = { CLAUDE_CONFIG_DIR: join(root, 'elsewhere') }
    const plan = planSetup(found, { ...options, machine: { ...options.machine, env } })
    applySetup(plan, home, NOW)
    expect(plan.files.map(({ path }) => path).toSorted()).toEqual(
      [file, join(root, 'elsewhere/settings.json')].toSorted(),
    )
    for (const one of planUndo(home, null)) applyUndo(one, home)
    expect(existsSync(join(root, 'elsewhere'))).toBe(false)
  })

  it.runIf(isRoot)('are left alone if they belong to another user', () => {
    const { found, options, file } = prepare({
      name: '',
      host: 'claude-code',
      path: '.claude/settings.json',
      text: '{}',
    })
    chownSync(file, 65_534, 65_534)
    expect(planSetup(found, options).problem?.why).toContain('belongs to another user')
  })
})
