import { describe, expect, it } from 'vitest'
import { rowsOf, type Trigger, triggersIn } from './run-file.ts'

function found(path: string, text: string): readonly Trigger[] {
  const triggers = triggersIn(rowsOf(path), text)
  if (triggers.kind === 'unreadable') throw new Error('unreadable')
  return triggers.all
}

const codes = (path: string, text: string) => found(path, text).map(({ code, key, line }) => [code ?? `(${key})`, line])

describe('what a file makes others run', () => {
  it.each<[string, string, (string | number)[][]]>([
    ['package.json', '{\n "scripts": {\n  "postinstall": "node x.js"\n }\n}', [['node x.js', 3]]],
    ['web/package.json', '{"scripts": {"test": "vitest"}, "dependencies": {"a": "1"}}', [['vitest', 1]]],
    ['.npmrc', 'save-exact=true\nscript-shell=/tmp/x\n', [['(script-shell)', 2]]],
    [
      '.git/config',
      '[core]\n\tbare = false\n\tfsmonitor = touch x\n[alias]\n s = status\n x = !rm y',
      [
        ['touch x', 3],
        ['rm y', 6],
      ],
    ],
    [
      '.git/config',
      '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n[include]\n path = ../x',
      [
        ['git-lfs clean -- %f', 2],
        ['(include.path)', 4],
      ],
    ],
    ['.gitattributes', '*.bin filter=lfs -text\n# x filter=y\n', [['(filter)', 1]]],
    [
      '.vscode/tasks.json',
      '{ // tasks\n "tasks": [{ "label": "x", "command": "curl", "args": ["a b"], "runOptions": { "runOn": "folderOpen" } }] }',
      [
        ["curl 'a b'", 2],
        ['(tasks.0.runoptions.runon)', 2],
      ],
    ],
    ['.mcp.json', '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "b"]}}}', [['npx -y b', 1]]],
    [
      '.claude/settings.json',
      '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
      [['true', 1]],
    ],
    [
      '.github/workflows/ci.yml',
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1\n      - run: |\n          npm ci\n          npm test\n',
      [
        ['(jobs.test.steps.0.uses)', 4],
        ['npm ci\nnpm test\n', 5],
      ],
    ],
    ['.gitlab-ci.yml', 'test:\n  script:\n    - make\n', [['make', 3]]],
    [
      'pyproject.toml',
      '[build-system]\nrequires = ["x"]\n\n[tool.poe.tasks]\nrun = "rm x"\nlist = [\n  "a",\n  "b",\n]\n',
      [
        ['(build-system.requires)', 2],
        ['rm x', 5],
        ['a b', 6],
      ],
    ],
    ['.devcontainer/devcontainer.json', '{"postCreateCommand": ["npm", "ci"]}', [['npm ci', 1]]],
    ['app.service', '[Unit]\nDescription=x\n[Service]\nExecStart=/bin/x \\\n  -y\n', [['/bin/x    -y', 4]]],
    ['lib/a.pth', './src\nimport os; os.system("x")\n', [[`python -c 'import os; os.system("x")'`, 2]]],
    [
      'Makefile',
      'X = rm\nall: b\n\t@$(X) -f $$HOME \\\n\t  y\nV := $(shell id)\n',
      [
        ['rm -f $HOME  y', 3],
        ['id', 5],
      ],
    ],
  ])('%s: %j', (path, text, expected) => {
    expect(codes(path, text)).toEqual(expected)
  })

  it('reads a script of git as shell code, and a test configuration as Python', () => {
    expect(found('.husky/pre-commit', 'npm test\n')).toMatchObject([{ code: 'npm test\n', line: 1 }])
    expect(found('tests/conftest.py', 'import os\n')).toMatchObject([{ code: "python -c 'import os\n'" }])
  })

  it.each(['src/index.ts', 'README.md', 'package.json.md', 'docs/makefile-notes.txt'])(
    'knows nothing about %s',
    (path) => {
      expect(rowsOf(path)).toEqual([])
    },
  )

  it.each([
    ['package.json', '{"scripts": '],
    ['.github/workflows/ci.yml', 'jobs: [\n'],
    ['package.json', `${'['.repeat(200)}`],
    ['pyproject.toml', '= x\n'],
    ['package.json', ' '.repeat(1024 * 1024 + 1)],
  ])('can’t read an invalid or very large %s', (path, text) => {
    expect(triggersIn(rowsOf(path), text)).toEqual({ kind: 'unreadable' })
  })
})
