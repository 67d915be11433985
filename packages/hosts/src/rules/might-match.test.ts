import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coveredByPaths, coveredByWords, mightMatch } from './might-match.ts'

const FOLDERS = ['/srv/work']
const matches = (covered: ReturnType<typeof coveredByWords>, command: string) =>
  mightMatch(covered, { command, folders: FOLDERS })

/** Every way in which a shell reads one character of a word. */
const spelled = (char: string) =>
  fc.constantFrom(
    char,
    `\\${char}`,
    `'${char}'`,
    `"${char}"`,
    `${char}""`,
    `$'\\x${char.charCodeAt(0).toString(16)}'`,
    '?',
    `[${char}]`,
    `{${char},}`,
    `\${${char}:-${char}}`,
    `$(echo ${char})`,
    `\\\n${char}`,
  )
const program = fc.tuple(...[...'touch'].map(spelled)).map((chars) => chars.join(''))
const start = fc.constantFrom(
  '',
  'cd a && ',
  'A=1 ',
  '/usr/bin/',
  'x;',
  '(',
  'timeout 5 ',
  "bash -c '",
  'echo a | xargs ',
)

describe('a rule about a program', () => {
  it('might match every spelling of the program', () => {
    fc.assert(
      fc.property(start, program, (before, word) => {
        expect(matches(coveredByWords(['touch']), `${before}${word} marker`)).toBe(true)
      }),
    )
  })

  it('might match every command whose words are not spelled out', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('$', '\\', '`', '*', '?', '[', '{', "a'b'", '"a"b', '""a', '~b '),
        (text, odd) => {
          expect(matches(coveredByWords(['touch']), `${text.replaceAll(/['"]/g, '')} ${odd}`)).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['touch', 'echo a > b', false],
    ['touch', 'git commit -m "some words"', false],
    ['touch', "git commit -m 'it is'; ls", false],
    ['touch', `bash -c "t'ou'ch a"`, true],
    ['touch', 'TOUCH a', true],
    ['rm', 'npm run format', false],
    ['rm', 'npm run rm', true],
    ['rm', '/bin/rm a', true],
    ['rm', 'git-rm', true],
    ['* push', 'git push', true],
    ['*sh', 'git push', true],
    ['w', 'ls', true],
    ['', 'ls', true],
    ['(a|b)c', 'ls', true],
    ['t[ou]x', 'ls', true],
    ['x'.repeat(2_000), 'ls', true],
    ['touch', 'x'.repeat(20_000), true],
  ])('`%s`, for `%s`: %s', (pattern, command, expected) => {
    expect(matches(coveredByWords([pattern]), command)).toBe(expected)
  })
})

describe('a rule about files', () => {
  it.each([
    ['./.env', 'cat .env', true],
    ['./.env', 'cat a.txt', false],
    ['src/**', 'cat src/a', true],
    ['/srv/work/**', 'cat a', true],
    ['**', 'ls', true],
    ['{a,bc}', 'ls', true],
    ['[xy]*', 'ls', true],
    ['secrets/*.key', 'cat a', false],
  ])('`%s`, for `%s`: %s', (pattern, command, expected) => {
    expect(matches(coveredByPaths([pattern]), command)).toBe(expected)
  })
})
