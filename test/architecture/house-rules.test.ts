import { describe, expect, it } from 'vitest'
import { checkDependencies } from '../../scripts/architecture/documented-dependencies.ts'
import { checkHouseRules } from '../../scripts/architecture/house-rules.ts'

const ROOT = '/srv/checkouts/countersign'
const places = (path: string, text: string) => checkHouseRules([{ path, text }], ROOT).map((offence) => offence.line)

describe('the house rules', () => {
  it.each([
    ['a cast to any', 'packages/node/src/x.ts', `\nconst a = b ${'as'} any\n`, [2]],
    ['a to-do comment', 'packages/node/src/x.ts', `\n\n// ${'TO'}DO later\n`, [3]],
    ['a focused test', 'packages/node/src/x.test.ts', `\n${'it'}.only('x', f)\n`, [2]],
    ['a skipped test', 'test/e2e/x.test.ts', `${'describe'}.skip('x', f)\n`, [1]],
    ['a meaningless file name', 'packages/node/src/path-utils.ts', '', [1]],
    ['a meaningless folder name', 'packages/node/src/common/path.ts', '', [1]],
    ['a long file', 'packages/node/src/x.ts', '\n'.repeat(301), [300]],
    ['a clock in core', 'packages/core/src/x.ts', '\nDate.now()\n', [2]],
    ['a user’s home', 'packages/node/src/x.ts', "const a = '/home/ada/x'", [1]],
    ['the path of this checkout', 'README.md', `\ncd ${ROOT}\n`, [2]],
    ['a registry', 'package-lock.json', '\n"resolved": "https://registry.example/x.tgz"', [2]],
    ['an install script', 'package-lock.json', '"hasInstallScript": true', [1]],
  ])('report %s', (_, path, text, lines) => {
    expect(places(path, text)).toEqual(lines)
  })

  it.each([
    ['a long test', 'packages/node/src/x.test.ts', '\n'.repeat(301)],
    ['a table of tests', 'packages/core/src/x.rows.ts', '\n'.repeat(301)],
    ['a to-do marker in a command', 'packages/node/src/x.ts', `'grep ${'TO'}DO src'`],
    ['a clock in node', 'packages/node/src/x.ts', 'Date.now()'],
    ['an invented home in a test', 'packages/node/src/x.test.ts', "'/home/ada/x'"],
    ['the placeholder home', 'packages/core/src/x.ts', "'/home/you/project'"],
    ['a system folder', 'packages/core/src/x.ts', "['/root', '/home']"],
    ['a sibling of this checkout', 'README.md', `${ROOT}-two`],
    ['a workspace link', 'package-lock.json', '"resolved": "packages/core"'],
  ])('accept %s', (_, path, text) => {
    expect(places(path, text)).toEqual([])
  })

  it('require a line for every direct dependency', () => {
    const files = [
      { path: 'docs/dependencies.md', text: '| `yaml` | … |' },
      { path: 'packages/core/package.json', text: '{\n"dependencies": {\n"yaml": "1",\n"zod": "1" } }' },
    ]
    expect(checkDependencies(files)).toMatchObject([{ path: 'packages/core/package.json', line: 4 }])
  })
})
