// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompose, decomposeArgv } from '../decompose.ts'
import type { CommandProblemKind } from './decomposition.ts'
import { CAPS } from './limits.ts'

const kinds = (source: string) => decompose(source).problems.map((problem) => problem.kind)

describe('a command over a limit', () => {
  it.each<[string, string, CommandProblemKind]>([
    ['64 KiB of words', 'a '.repeat(40_000), 'too-long'],
    ['5,000 nested substitutions', '$('.repeat(5000), 'too-deep'],
    ['40 nested substitutions', `${'$('.repeat(40)}a${')'.repeat(40)}`, 'too-deep'],
    ['an unclosed old-style arithmetic expression', '$['.repeat(5000), 'too-deep'],
    ['unclosed braces', '{a,'.repeat(20_000), 'too-deep'],
    ['functions that define functions', 'f()'.repeat(20_000), 'too-deep'],
    ['nested conditions', `${'if a; then '.repeat(60)}b${'; fi'.repeat(60)}`, 'too-deep'],
    ['3,000 commands', 'a;'.repeat(3000), 'too-many'],
    ['30,000 words', `echo ${'a '.repeat(30_000)}`, 'too-many'],
    ['500 calls to a function', `f() { true; }; ${'f;'.repeat(500)}`, 'too-many'],
    ['nine wrappers', `${'nice '.repeat(9)}a`, 'too-deep'],
    ['code that grows exponentially', `a=${'x'.repeat(4000)};${'bash -c "$a";'.repeat(1000)}`, 'too-long'],
  ])('is reported: %s', (_, source, kind) => {
    expect(kinds(source)).toContain(kind)
  })

  it('still shows the parts found before the limit', () => {
    const { parts } = decompose(`rm -rf /;${'true;'.repeat(5000)}`)
    expect(parts[0]?.program).toBe('rm')
    expect(parts.length).toBeLessThanOrEqual(CAPS.parts)
    expect(decompose(`rm -rf / ${'x '.repeat(40_000)}`).parts[0]?.program).toBe('rm')
  })

  it('includes the effects of a function called after the limit', () => {
    const deep = Array.from({ length: 9 }, (_, at) => `f${at}() { f${at + 1}; }`).join('; ')
    for (const source of [`a() { true; }; ${'a;'.repeat(450)} b() { rm x; }; b`, `${deep}; f9() { rm x; }; f0`])
      expect(decompose(source).parts.map(({ program }) => program)).toContain('rm')
  })

  it('includes a command hidden behind many harmless ones', () => {
    expect(decompose(`${'true;'.repeat(60)}rm x`).parts.at(-1)?.program).toBe('rm')
  })

  it('does not grow a variable without bound', () => {
    const { parts } = decompose(`a=xxxxxxxx;${'a=$a$a;'.repeat(40)}echo $a`)
    expect(parts.at(-1)?.args[0]?.value).toBeNull()
  })

  it('lists no more problems than a person can read', () => {
    expect(decompose('$x;'.repeat(1500)).problems.length).toBeLessThanOrEqual(CAPS.problems + 6)
  })
})

const TOKENS = [
  'rm',
  '-rf',
  '/',
  '~',
  ' ',
  '\n',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '(',
  ')',
  '{',
  '}',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '$x',
  '${x:-',
  '}',
  '$((',
  '))',
  '<<EOF\n',
  'EOF\n',
  '<<<',
  '>',
  '>>',
  '<(',
  '>(',
  'if ',
  'then ',
  'fi',
  'for i in ',
  'do ',
  'done',
  'case x in ',
  'esac',
  '[[ ',
  ' ]]',
  'bash -c ',
  'eval ',
  'sudo ',
  'env ',
  'xargs ',
  'find . -exec ',
  '\\;',
  '{a,b}',
  '*',
  '?',
  '[',
  ']',
  '=',
  'x=',
  '#',
  '!',
  "$'\\x41'",
  '\r',
  '\0',
  '\u00a0',
  '\u202e',
  '\ud800',
  'f() ',
  'coproc ',
  'time ',
  '$[',
  '@(',
  '${x@P}',
  '"$@"',
  'trap ',
  'parallel ',
  ':::',
]

describe('arbitrary text', () => {
  it('is decomposed without an exception, within the limits, with spans inside it', () => {
    const token = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((words) => words.join(''))
    const text = fc.oneof(
      { weight: 5, arbitrary: token },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    )
    fc.assert(
      fc.property(text, (source) => {
        const { parts, problems } = decompose(source)
        expect(parts.length).toBeLessThanOrEqual(CAPS.parts)
        for (const { span } of [...parts, ...problems.filter((problem) => problem.span !== undefined)]) {
          if (span === undefined) continue
          expect(span.start).toBeGreaterThanOrEqual(0)
          expect(span.end).toBeLessThanOrEqual(source.length)
          expect(span.start).toBeLessThanOrEqual(span.end)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('is read as exact words without an exception', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 20 })), { maxLength: 12 }),
        (argv) => {
          expect(decomposeArgv(argv).parts.length).toBeGreaterThanOrEqual(argv.length > 0 ? 1 : 0)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('never hides a plain command at its end', () => {
    // Whatever comes before it, a command on its own line is found, or the text is reported.
    const before = fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }).map((words) => words.join(''))
    fc.assert(
      fc.property(before, (text) => {
        const { parts, problems } = decompose(`${text}\nshutdown now`)
        const found = parts.some((part) => part.program === 'shutdown')
        const inText = /<<|#|=|"|'|\\$|`|\{/.test(text)
        expect(found || problems.length > 0 || inText).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
