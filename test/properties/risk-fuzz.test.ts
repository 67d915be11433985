import { rateNominal } from '@countersign/testing/corpus/nominal-rating'
import { shellCorpus } from '@countersign/testing/corpus/shell-corpus'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RiskLevel, riskRank } from '../../packages/core/src/risk/report/level.ts'

const CORPUS = shellCorpus().map((row) => row.command)
/** Self-contained commands: text appended to them does not become part of them. */
const WHOLE = CORPUS.filter((command) => /^[\w ./~=:@-]{3,120}$/.test(command))
const RISKY = ['rm -rf ~', 'rm -rf src', 'git push --force', 'git reset --hard', 'dd if=/dev/zero of=/dev/sda'] as const

/** Rates a command; errors include it. */
function level(command: string): RiskLevel {
  try {
    return rateNominal(command).level
  } catch (error) {
    throw new Error(`threw for ${JSON.stringify(command)}`, { cause: error })
  }
}

const single = (code: string) => `'${code.replaceAll("'", `'\\''`)}'`
const double = (code: string) => `"${code.replace(/["\\$`]/g, '\\$&')}"`
const ansi = (code: string) =>
  `$'${[...code].map((char) => `\\x${(char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`).join('')}'`
const base64 = (code: string) => Buffer.from(code).toString('base64')

/** Ways to pass a command to another program, none of which may lower its risk. */
const WRAPPINGS: readonly ((code: string) => string)[] = [
  (code) => `bash -c ${single(code)}`,
  (code) => `sh -ec ${double(code)}`,
  (code) => `zsh -c ${ansi(code)}`,
  (code) => `eval ${single(code)}`,
  (code) => `( ${code} )`,
  (code) => `{ ${code}; }`,
  (code) => `if true; then ${code}; fi`,
  (code) => `while true; do ${code}; break; done`,
  (code) => `f() { ${code}; }; f`,
  (code) => `echo "$( ${code} )"`,
  (code) => `x=$( ${code} )`,
  (code) => `cat <( ${code} )`,
  (code) => `bash <<< ${single(code)}`,
  (code) => `bash <<'END'\n${code}\nEND`,
  (code) => `echo ${single(code)} | sh`,
  (code) => `echo ${base64(code)} | base64 -d | bash`,
  (code) => `timeout 9 bash -c ${single(code)}`,
  (code) => `env A=1 sh -c ${double(code)}`,
  (code) => `nohup nice -n 5 bash -c ${single(code)} &`,
  (code) => `ls; ${code}`,
  (code) => `${code}; ls`,
  (code) => `ls && ${code} || true`,
  (code) => `ls | { ${code}; }`,
  (code) => `ls #\n${code}`,
  (code) => `c=${single(code)}; eval "$c"`,
  (code) => `echo ${single(code)} > t.sh; sh t.sh`,
  (code) => `trap ${single(code)} EXIT`,
  (code) => `find . -exec sh -c ${single(code)} \\;`,
]

/** Wrappings that take words only, for the innermost command. */
const FIRST: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => `set -- ${code}; "$@"`,
  (code) => `bash -c '"$@"' _ ${code}`,
  (code) => `sudo -u root ${code}`,
  (code) => `timeout -s KILL 9 ${code}`,
  (code) => `env A=1 nice ${code}`,
  (code) => `c='${code}'; $c`,
]

describe('arbitrary text', () => {
  it('never throws: bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        level(Buffer.from(bytes).toString('latin1'))
      }),
      { numRuns: 400 },
    )
  })

  it('never throws: any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        level(text)
      }),
      { numRuns: 400 },
    )
  })

  it('never throws: shell syntax in any order', () => {
    const signs = fc.constantFrom(
      ...'$ ( ) { } [ ] < > | & ; ` " \' \\ # * ? ~ ! = rm -rf / sh curl x $( ${ $(( <( >( <<E << <<< && || |& ;; in do done if then fi case esac for while eval'.split(
        ' ',
      ),
      '\n',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 60 }), (list) => {
        level(list.join(''))
        level(list.join(' '))
      }),
      { numRuns: 500 },
    )
  })

  it('never throws: the corpus with pieces changed, repeated and removed', () => {
    const change = fc.record({
      command: fc.constantFrom(...CORPUS),
      at: fc.nat(400),
      length: fc.nat(6),
      by: fc.string({ maxLength: 4 }),
      other: fc.constantFrom(...CORPUS),
    })
    fc.assert(
      fc.property(change, ({ command, at, length, by, other }) => {
        const cut = Math.min(at, command.length)
        level(command.slice(0, cut) + by + command.slice(cut + length))
        level(command.slice(0, cut) + other)
        level(command.slice(cut) + command)
      }),
      { numRuns: 600 },
    )
  })
})

describe('a dangerous command', () => {
  it('is rated no lower in any wrapping, at any depth', () => {
    const wrappings = fc.array(fc.constantFrom(...WRAPPINGS), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...RISKY), fc.constantFrom(...FIRST), wrappings, (risky, first, list) => {
        const wrapped = list.reduce((code, wrap) => wrap(code), first(risky))
        // One wrapping is resolved; a deeper one that cannot be resolved is high for that reason.
        const least = list.length === 1 ? level(risky) : 'high'
        expect(riskRank(level(wrapped)), wrapped).toBeGreaterThanOrEqual(riskRank(least))
      }),
      { numRuns: 600 },
    )
  })

  it('is rated no lower with text before or after it', () => {
    const separators = fc.constantFrom(' ; ', ' && ', ' || ', '\n', ' & ', ' | ')
    fc.assert(
      fc.property(fc.constantFrom(...WHOLE), separators, fc.constantFrom(...WHOLE), (one, separator, other) => {
        const both = level(`${one}${separator}${other}`)
        expect(riskRank(both), `${one}${separator}${other}`).toBeGreaterThanOrEqual(riskRank(level(one)))
      }),
      { numRuns: 600 },
    )
  })
})

describe('oversized input', () => {
  it.each([
    ['5,000 nested substitutions', `${'$('.repeat(5_000)}ls${')'.repeat(5_000)}`],
    ['5,000 nested subshells', `${'( '.repeat(5_000)}ls${' )'.repeat(5_000)}`],
    ['5,000 open arithmetic brackets', '$['.repeat(5_000)],
    ['5,000 nested conditions', `${'if true; then '.repeat(5_000)}ls${'; fi'.repeat(5_000)}`],
    ['5,000 open groups', '{ '.repeat(5_000)],
    ['nine nested shells', Array.from({ length: 9 }).reduce<string>((code) => `bash -c ${single(code)}`, 'ls')],
    ['more than 64 KiB', `ls ${'a '.repeat(40_000)}`],
    ['a payload after 64 KiB', `${'true;'.repeat(13_200)}rm -rf ~`],
    ['3,000 commands', 'true;'.repeat(3_000)],
    ['truncated text', 'echo "a'],
  ])('is at least high, with the reason: %s', (_, command) => {
    const report = rateNominal(command)
    expect(riskRank(report.level)).toBeGreaterThanOrEqual(riskRank('high'))
    expect(report.reasons.map((reason) => reason.rule).join(' ')).toMatch(/shell\.(?:too-|syntax)/)
  })
})
