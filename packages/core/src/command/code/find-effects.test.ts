import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Language } from '../../knowledge/shell.ts'
import { codeEffects } from './find-effects.ts'
import { inlineCode } from './inline-code.ts'
import { SYNTAX } from './language-syntax.ts'

const kinds = (code: string, language: Language) => codeEffects(code, language).map(({ kind }) => kind)
const word = (value: string) => ({ text: value, value, glob: false })

describe('the effects of code', () => {
  it.each<[Language, string, string[]]>([
    ['python', 'print("os.system(1)")  # os.remove(x)', []],
    ['python', '"""os.system(1)"""', []],
    ['python', 'import os as o; o.remove("a")', ['delete']],
    ['python', 'x.remove("a"); s.replace("a", "b")', []],
    ['python', 'list(map(os.remove, files))', ['delete']],
    ['node', '/exec/.exec(text) // execSync()', []],
    ['node', 'f(`a ${require("fs").unlinkSync(x)} b`)', ['delete']],
    ['perl', 'my $system = "a"; print $system', []],
    ['perl', 'eval { print 1 }', []],
    ['ruby', 'puts "#{`id`}"', ['run']],
    ['lua', '-- os.execute("x")\nprint(1)', []],
    ['node', 'globalThis["ev" + "al"](x)', ['eval']],
    ['node', 'this["constructor"]("return 1")()', ['eval']],
    ['node', 'await import("https://x.example/a.js")', ['eval']],
    ['node', 'const o = {}; o["a"](1); o[k]; [1, 2][0]', []],
    ['python', 'getattr(x, "sys" + "tem")("id")', ['eval']],
    ['perl', 'eval get("http://x.example")', ['eval', 'fetch']],
    ['perl', 'print join ",", %ENV', ['environment']],
    ['perl', 'print $ENV{HOME}', []],
    ['php', 'print_r($_ENV)', ['environment']],
    ['ruby', 'puts ENV.to_h, ENV["HOME"], ENV.fetch("A")', ['environment']],
    ['awk', '$3 > 5 { print $1 }', []],
    ['awk', '{ print > "out" }', ['write']],
  ])('are found in %s: %s', (language, code, expected) => {
    expect(kinds(code, language)).toEqual(expected)
  })

  it('include the command and the words it starts', () => {
    expect(codeEffects("os.system('a' + ' b')", 'python')[0]?.run).toEqual({ kind: 'shell', text: 'a b', known: true })
    expect(codeEffects("subprocess.run(['rm', x])", 'python')[0]?.run).toEqual({ kind: 'words', words: ['rm', null] })
    expect(codeEffects('os.system(f"rm {x}")', 'python')[0]?.run).toEqual({
      kind: 'shell',
      text: 'rm $_',
      known: false,
    })
  })

  it('follow a variable that is assigned once, and no other', () => {
    expect(codeEffects("p = 'a'\nos.remove(p)", 'python')[0]?.paths).toEqual(['a'])
    expect(codeEffects("p = 'a'\np = b\nos.remove(p)", 'python')[0]?.paths).toEqual([null])
  })

  it('are read to the end of any text', () => {
    const pieces = fc.constantFrom(
      ...'q{ s/ ` " \' \\ ( ) [ { } #{ ${ % / \n = . os.system eval f" r\' $x -> import'.split(' '),
    )
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 60 }),
        fc.constantFrom(...(Object.keys(SYNTAX) as Language[])),
        (text, language) => {
          expect(Array.isArray(codeEffects(text.join(' '), language))).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each(['q{', 's/[/', '`${', 'f(', '"#{', 'x=', '/(', 'os.system('])('are found in linear time: %s', (piece) => {
    expect(codeEffects(piece.repeat(4_000), 'perl').length).toBeLessThanOrEqual(65)
    expect(codeEffects(piece.repeat(4_000), 'node').length).toBeLessThanOrEqual(65)
  })
})

describe('inline code', () => {
  it.each<[string, string[], string | null]>([
    ['python3', ['-Ic', 'x'], 'x'],
    ['python3', ['-cx'], 'x'],
    ['python3', ['script.py', '-c', 'x'], null],
    ['python3', ['-m', 'pytest', '-c', 'x'], null],
    ['perl', ['-lane', 'x', 'f'], 'x'],
    ['perl', ['-i.bak', '-pe', 'x', 'f'], 'x'],
    ['perl', ['-e', 'x', '-e', 'y'], 'x\ny'],
    ['node', ['-pe', 'x'], 'x'],
    ['node', ['--eval=x'], 'x'],
    ['deno', ['eval', 'x'], 'x'],
    ['gawk', ['-F', ',', '-v', 'a=1', 'x', 'f'], 'x'],
    ['ls', ['-c', 'x'], null],
  ])('in %s %j is %j', (program, args, code) => {
    expect(inlineCode(program, args.map(word), { kind: 'none' })?.text ?? null).toBe(code)
  })
})
