import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nextOverride, OVERRIDES, overrideNotes, toolChange } from './policy-override.ts'

const POLICY = '/home/ana/.countersign/policy.yaml'

describe('a suggested policy change', () => {
  it('comes as a whole file, a section and a line', () => {
    expect(toolChange('postgres/query', 'manual', POLICY)).toMatchObject({
      file: 'version: 1\ntools:\n  "postgres/query": manual\n',
      section: 'tools:\n  "postgres/query": manual\n',
      line: '  "postgres/query": manual\n',
    })
  })

  it.each([
    ['automatic', 'notify'],
    ['confirm', 'manual'],
    ['manual', 'deny'],
    ['deny', 'manual'],
    ['unheard of', 'manual'],
  ])('starts one step stricter: %s suggests %s', (now, next) => {
    expect(nextOverride(now)).toBe(next)
  })

  it('starts stricter than the last verdict as well', () => {
    expect([nextOverride('automatic', 'confirm'), nextOverride('confirm', 'automatic')]).toEqual(['manual', 'manual'])
  })

  it('warns whenever it is less strict', () => {
    for (const [nth, now] of OVERRIDES.entries())
      for (const [to, wanted] of OVERRIDES.entries()) {
        const { plain, warning } = overrideNotes(wanted, { now, strictest: now })
        expect(warning !== null).toBe(to < nth)
        expect(plain !== null).toBe(to === nth)
      }
    for (const now of ['automatic', 'notify', 'confirm', 'unheard of'])
      expect(overrideNotes(nextOverride(now), { now, strictest: now })).toEqual({ plain: null, warning: null })
  })

  it.each([
    ['notify', 'confirm', /^This is less strict than the current confirm\. .* without asking\.$/],
    ['confirm', 'manual', /^This is less strict than the current manual\.$/],
    ['manual', 'deny', /has no effect/],
  ] as const)('explains %s for a tool that is %s now', (wanted, now, words) => {
    expect(overrideNotes(wanted, { now, strictest: now }).warning).toMatch(words)
  })

  it('warns that other calls of the tool got a stricter verdict', () => {
    expect(overrideNotes('confirm', { now: 'automatic', strictest: 'manual' }).warning).toContain('got manual')
    expect(overrideNotes('manual', { now: 'automatic', strictest: 'manual' }).warning).toBeNull()
  })

  it.each([
    '*',
    'db_*',
    'a?',
    '[ab]',
    '{a,b}',
    '!a',
    "x'; rm -rf ~; '",
    'a b',
    '$(id)',
    'a`id`',
    'a\nb',
    '../../x',
    'a/b/c',
    '',
    'abc\u202egnp',
    'zero\u200bwidth',
    'p\u0430ypal',
    '\u001b[2J',
    'a'.repeat(300),
    'tag\u{e0041}',
  ])('is not made for the name %j', (name) => {
    expect(toolChange(name, 'deny', POLICY)).toBeNull()
  })

  it('goes into the policy folder of the service’s home', () => {
    expect(toolChange('x', 'deny', '/srv/gate/policy.yaml')?.command).toContain(' > /srv/gate/policy.d/tool-x-')
    expect(toolChange('x', 'deny', "/srv/an'a b/policy.yaml")?.command).toContain("'/srv/an'\\''a b/policy.d/tool-x-")
    for (const odd of ['policy.yaml', '/srv/\u202e/policy.yaml', '/srv/a\nb/policy.yaml'])
      expect(toolChange('x', 'deny', odd)?.command).toBeNull()
  })

  describe('run as a command', () => {
    let home = ''
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'countersign o’er-'))
    })
    afterEach(() => rmSync(home, { recursive: true, force: true }))
    const run = (tool: string, supervision: 'deny' | 'automatic'): string => {
      const command = toolChange(tool, supervision, join(home, 'policy.yaml'))?.command ?? 'false'
      return execFileSync('sh', ['-c', command.replace('countersign policy lint', 'cat')], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    }

    it('writes one file per tool and never overwrites', () => {
      expect(run('db.drop', 'deny')).toBe('version: 1\ntools:\n  "db.drop": deny\n')
      expect(run('db-drop', 'automatic')).toContain('"db-drop": automatic')
      expect(() => run('db.drop', 'automatic')).toThrow()
      const folder = join(home, 'policy.d')
      const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      expect(texts.toSorted()).toEqual([
        'version: 1\ntools:\n  "db-drop": automatic\n',
        'version: 1\ntools:\n  "db.drop": deny\n',
      ])
    })
  })
})
