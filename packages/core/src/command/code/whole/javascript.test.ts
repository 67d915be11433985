import { describe, expect, it } from 'vitest'
import { understandJavaScript } from './javascript.ts'

const inline = { folder: '.', inline: true }
const file = { folder: '/proj', inline: false }

function effects(text: string, setting = inline): unknown {
  const found = understandJavaScript(text, setting)
  if (found.kind === 'unclear') return found.why
  return [
    ...found.effects.map(({ kind, paths, run }) =>
      [kind, ...paths, ...(run === null ? [] : [JSON.stringify(run)])].join(' '),
    ),
    ...found.loads.map((name) => `loads ${name}`),
  ]
}

describe('JavaScript that is understood whole', () => {
  it.each<[string, readonly string[]]>([
    ['console.log(1+1)', []],
    ["console.log(require('pad')('x', 4))", ['loads pad']],
    ["require('fs').readFileSync('data.json','utf8')", ['read data.json']],
    ["fs.readFileSync('data.json')", ['read data.json']],
    ["const fs = require('fs'); fs.writeFileSync('a.txt', [1, 2].map((x) => x * 2).join('\\n'))", ['write a.txt']],
    [
      "import { readFile } from 'node:fs/promises'\nconst t = await readFile('a')\nconsole.log(t.length / 2)",
      ['read a'],
    ],
    [
      "const { execFileSync } = require('child_process'); execFileSync('ls', ['-l'])",
      ['run {"kind":"words","words":["ls","-l"]}'],
    ],
    ["const p = require('path')\nconst at = p.join(__dirname, 'x')\nrequire('fs').mkdirSync(at)", ['write ./x']],
    ['const a = [1,2,3]; for (let i = 0; i < a.length; i++) console.log(a[i], a[a.length - 1])', []],
    ['class A { constructor(x) { this.x = x } get y() { return `${this.x}` } }\nconsole.log(new A(1).y)', []],
    ["import('./x.mjs').then((m) => m.run())", ['loads ./x.mjs']],
    ["const x = /[/'\"]eval(/.test('a') ? 1 / 2 : 3 / 4", []],
    ['if (process.env.CI) process.exitCode = 1', []],
    ["const test = require('node:test')\nconst assert = require('assert')\ntest('a', () => assert.equal(1, 1))", []],
    ["const { test, it: a } = require('node:test')\ntest('a', () => {})\na.skip('b', () => {})", []],
    ["module.exports = { f(a) { return a }, 'g': 1 }", []],
    ['const o = {}; o[process.argv[2]] = 1', []],
  ])('%s', (text, expected) => {
    expect(effects(text)).toEqual(expected)
  })

  it('finds files beside itself', () => {
    expect(effects("require('fs').readFileSync(__dirname + '/a')", file)).toEqual(['read /proj/a'])
    expect(effects("import fs from 'fs'\nfs.readFileSync(new URL('./a', import.meta.url))", file)).toEqual([
      'read /proj/./a',
    ])
  })
})

describe('JavaScript that is not understood', () => {
  it.each([
    // Functions made of text.
    "eval('1')",
    "(0, eval)('1')",
    "new Function('x')()",
    "[].constructor.constructor('x')()",
    "[]['constructor']['constructor']('x')()",
    "[]['con' + 'structor']",
    "const k = 'constructor'; [][k][k]('x')()",
    "const { constructor: F } = () => {}; F('x')()",
    "const { 'constructor': F } = () => {}; F('x')()",
    "const { ['constr' + 'uctor']: F } = () => {}; F('x')()",
    'const { "\\x63onstructor": F } = () => {}; F(1)()',
    '[].\\u0063onstructor',
    "Object.values(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(() => {})))[0].value('x')()",
    "Reflect.get([], 'constructor')",
    'new Proxy({}, {})',
    "for (const k in JSON.parse('{\"constructor\":1}')) [][k][k]('x')()",
    "let i = 0; [i] = ['constructor']; [][i][i]('x')()",
    "let i = 0; i = 'constructor'; [][i][i]('x')()",
    "let i = 0; for (i of ['constructor']) [][i][i]('x')()",
    "function f(i) { return [][i] } let i = 0; f('constructor')",
    "var yield = 'constructor'; [][yield - 1]",
    "setTimeout.constructor('x')()",
    'import.meta.constructor',
    'async () => {}\n.constructor',
    // The global object and what it holds.
    'globalThis.process.exit()',
    "(function () { return this })().process.mainModule.require('fs')",
    'const { f } = { f() { return this } }; f().process',
    "arguments[1]('child_process')",
    "process.binding('fs')",
    "process.mainModule.require('child_process')",
    "process['binding']('fs')",
    'const { mainModule } = process',
    'const p = process; p.kill(1)',
    'process.kill(1)',
    "process.chdir('/')",
    "process.dlopen({}, 'x')",
    "process.on('exit', x)",
    'process.stdout.connect(1)',
    'console._stdout.connect(1)',
    "process.getBuiltinModule('fs')",
    "fetch('http://x.example')",
    "function f(fetch) {} fetch('http://x.example')",
    "class A extends fetch('http://x.example') {}",
    "fetch('http://x.example')\n{}",
    "new WebSocket('ws://x.example')",
    'Error.prepareStackTrace = (e, f) => f',
    // Modules.
    "require('node:test').test.run({ files: ['/tmp/x.js'] })",
    "const { it } = require('node:test'); it.it.run({ files: ['/tmp/x.js'] })",
    "import { test } from 'node:test'\nconst t = test\nt.run({ files: ['/tmp/x.js'] })",
    "const { test } = require('node:test'); [test][0].run({})",
    "require('child_process')",
    "child_process.execSync('ls' + x)",
    "require('child_process').exec('ls')",
    "const m = require; m('fs')",
    "require('f' + 's')",
    'require(`${x}`)',
    "require.main.require('fs')",
    'require.cache',
    "require('module').createRequire('/')",
    "module.require('fs')",
    "module.constructor._load('fs')",
    "import('child_process').then((m) => m.execSync('ls'))",
    'import(x)',
    "import('data:text/javascript,1' + x)",
    "export * from 'fs'",
    "export { readFileSync } from 'fs'",
    "module.exports = require('fs')",
    'module.exports = { fs }',
    "const { rmSync: f } = require('fs'); f(x)",
    "const f = require('fs').rmSync; f('/')",
    "const fs = require('fs'); [fs][0].rmSync('/')",
    "const fs = require('fs'); fs['rm' + 'Sync']('/')",
    "const fs = require('fs'); const { rmSync } = fs",
    "require('vm').runInThisContext('1')",
    "require('worker_threads')",
    "require('os').setPriority(1, 1)",
    "require('crypto').setEngine('x')",
    "require('node:nothing')",
    "import fs from 'fs'\nimport x from './x.js' with { type: fs }",
    // Paths that are not literal.
    "require('fs').readFileSync(process.argv[2])",
    "const p = '/a'; function f(p) { require('fs').readFileSync(p) }",
    "const path = require('path'); path.join = () => '/etc/passwd'; fs.readFileSync(path.join('a'))",
    "const { join } = require('path'); function f(join) { fs.readFileSync(join('a')) }",
    "let { join } = require('path'); [join] = [() => '/etc']; fs.readFileSync(join('a'))",
    "const __dirname = '/etc'; fs.readFileSync(__dirname + '/passwd' + x)",
    "fs.readFileSync('notes.txt', { flag: 'w' })",
    "fs.readFileSync('notes.txt', options)",
    'fs.readFileSync(...a)',
    "fs.createReadStream('a')",
    "fs.symlinkSync('a', 'b')",
    "fs.renameSync('a', 'b')",
    "fs.readFileSync('a\\057b')",
    "execFileSync('ls', { shell: true })",
    "require('child_process').execSync('ls', { env: {} })",
    // Variables of the environment.
    'console.log(process.env)',
    'console.log(process.env.TOKEN)',
    "process.env.PATH = '.'",
    "process.env['CI'] = x; delete process.env.CI",
    'const { env } = process',
    // Text that can be read in two ways.
    "if (x) /a'/.test(y); eval('1') // '",
    'a = b\n++/eval("1")/.x',
    "a?.return /eval('x')/ 1",
    '// a\u2028eval("x")',
    'x = 1 <!-- eval\n+ 1',
    'const ｅval = 1',
    "`${eval('x')}`",
    '`${`${process.kill(1)}`}`',
    'with (x) y',
    "class A { static [this.process.getBuiltinModule('fs').writeFileSync('x', '')] = 1 }",
    'class A { x\n[this.process.kill(1)] = 1 }',
    'class A { [(() => this.process.kill(1))()]() {} }',
    'class A { import = 1 }\nfunction f() { return this }',
    "'use strict'; ({ f() { return this } }).f",
    'var let = []; const x = let[k]',
    'debugger',
    // Known names with another meaning.
    "const k = 'a'; of = () => {}; of[k]",
    'const k = 1; [await] = [() => {}]; await[k]',
    'for await (of of x);',
    "const path = require('path'); (path.join) = () => 1",
    "const path = require('path'); [path.join] = [1]",
    "const path = require('path'); ({ a: path.join } = { a: 1 })",
    "const path = require('path'); for (path.join of [1]);",
    "(process.env.PATH) = 'bin'",
    "[process.env['PATH']] = ['bin']",
    "const fs = require('fs'); (__dirname) = '/x'; fs.writeFileSync(__dirname + '/a', '')",
    "const fs = require('fs'); [__dirname] = ['/x']; fs.writeFileSync(__dirname + '/a', '')",
    "const fs = require('fs'); { const P = 'a' } fs.writeFileSync(P, '')",
    "const fs = require('fs'); { const path = require('path') } fs.writeFileSync(path.join('a'), '')",
    'const a = []; { let i = 0; } a[i]',
    'const a = []; for (let i = 0; i < 1; i++) {} a[i]',
    "var k = 'x'; Error[k] = 1",
    "require('fs').readFileSync('a', { 'flag': 'w' })",
    "require('child_process').execFileSync('a', [], { 'shell': true })",
  ])('%s', (text) => {
    expect(effects(text)).toEqual(expect.any(String))
    expect(effects(text, file)).toEqual(expect.any(String))
  })

  it('gives up on long and deeply nested code in little time', () => {
    const start = performance.now()
    for (const text of [
      '(a='.repeat(40_000),
      '['.repeat(60_000) + ']=1'.repeat(20_000),
      'x[i];'.repeat(20_000),
      '`${'.repeat(30_000),
    ])
      expect(effects(`${text}`)).toEqual(expect.any(String))
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

describe('tests in JavaScript', () => {
  const flags = (text: string) => {
    const found = understandJavaScript(text, { folder: '/w', inline: false })
    return found.kind === 'whole' ? [found.tests, found.lists] : found.why
  }

  it('tells which code gets the members of a test, and which can list them', () => {
    expect(flags("import test from 'node:test'\ntest('a', (t) => { console.log(t.name) })")).toEqual([true, false])
    expect(flags('export const f = (x) => Object.values(x)')).toEqual([false, true])
    expect(flags('export const { entries: f } = Object')).toEqual([false, true])
  })
})
