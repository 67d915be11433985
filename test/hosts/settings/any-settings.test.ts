import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepare, ROWS, settings } from './prepare.ts'
import { dataOf, eventsIn, withoutHooks } from './settings-data.ts'

const { applySetup, applyUndo, planSetup, planUndo } = settings

/** Files into whose object another member fits. */
const OBJECTS = ROWS.filter(
  ({ text, refused, path, ours, mode, link, folderLink }) =>
    text !== undefined &&
    refused === undefined &&
    ours === undefined &&
    [mode, link, folderLink].every((one) => one === undefined) &&
    path.endsWith('.json') &&
    Object.keys(dataOf(path, text) as object).length > 0,
)
const HANDLER = fc.record({ type: fc.constant('command'), command: fc.string() })
const GROUP = fc.record({ matcher: fc.string(), hooks: fc.array(HANDLER, { minLength: 1, maxLength: 3 }) })
const HOOKS = fc.dictionary(
  fc.constantFrom('PreToolUse', 'BeforeTool', 'preToolUse', 'SessionEnd', 'Stop'),
  fc.array(GROUP, { minLength: 1, maxLength: 3 }),
)
const OTHERS = fc.dictionary(
  fc.string().filter((key) => !['hooks', 'version', '__proto__'].includes(key)),
  fc.jsonValue({ maxDepth: 3 }),
)
const SPELLING = fc.record({
  indent: fc.constantFrom('', ' ', '  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\ufeff'),
  end: fc.constantFrom('', '\n', '\r\n\r\n'),
})
const HOSTS = [
  { host: 'claude-code', path: '.claude/settings.json' },
  { host: 'codex', path: '.codex/hooks.json' },
  { host: 'gemini-cli', path: '.gemini/settings.json' },
] as const

/** Sets up, checks what changed, and undoes it. */
function roundTrip(row: { readonly host: (typeof ROWS)[number]['host']; readonly path: string }, text: string): void {
  const { file, found, options, home } = prepare({ name: '', ...row, text })
  const plan = planSetup(found, options)
  expect(plan.problem).toBeNull()
  applySetup(plan, home, 1)
  const after = readFileSync(file, 'utf8')
  const was = withoutHooks(dataOf(row.path, text)) as object
  expect(withoutHooks(dataOf(row.path, after))).toEqual({
    ...(/copilot|cursor/.test(row.path) ? { version: 1 } : {}),
    ...was,
  })
  if (row.host !== 'vscode') expect(eventsIn(after).length).toBeGreaterThan(3)
  for (const one of planUndo(home, null)) applyUndo(one, home)
  expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(text)
  // Once more, with an edit of the person in between.
  const again = planSetup(found, options)
  applySetup(again, home, 2)
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n`)
  for (const one of planUndo(home, null)) applyUndo(one, home)
  expect(JSON.stringify(dataOf(row.path, readFileSync(file, 'utf8')))).toContain(
    JSON.stringify(dataOf(row.path, text)).slice(0, -1),
  )
}

describe('any settings', () => {
  it('keep all their data, in any spelling, and come back byte for byte', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HOSTS),
        OTHERS,
        HOOKS,
        SPELLING,
        (row, others, hooks, { indent, eol, mark, end }) => {
          const data = Object.keys(hooks).length === 0 ? others : { ...others, hooks }
          roundTrip(row, mark + JSON.stringify(data, null, indent).replaceAll('\n', eol) + end)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('keep all their data in every file as people have it, with other members at the start', () => {
    fc.assert(
      fc.property(fc.constantFrom(...OBJECTS), fc.jsonValue({ maxDepth: 3 }), (row, value) => {
        roundTrip(
          row,
          (row.text ?? '').replace('{', () => `{ "another": ${JSON.stringify(value)}, `),
        )
      }),
      { numRuns: 150 },
    )
  })
})
