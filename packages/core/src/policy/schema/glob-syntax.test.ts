import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileNameGlob, compilePathGlob } from '../match/glob.ts'
import { validateFolder, validateNameGlob, validatePathGlob } from './glob-syntax.ts'

const places = { workspace: '/w', home: '/home/me', gate: '/home/me/.countersign', temp: '/tmp' }

describe('a name glob', () => {
  it.each(['deploy', 'deploy*', '*', '*/x', 'server/name', 'a**b', 'a.b-c_d', 'Größe'])('can be %s', (glob) => {
    expect(validateNameGlob(glob)).toBeNull()
  })

  it.each(['', 'a?', '[ab]', '{a,b}', 'a\\*', 'a***', 'a\nb', 'a\u200bb', 'x'.repeat(513)])('cannot be %j', (glob) => {
    expect(validateNameGlob(glob)).toMatch(/./)
  })

  it('that is valid and has no star matches only itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 20 }), (glob, other) => {
        fc.pre(validateNameGlob(glob) === null && !glob.includes('*'))
        expect(compileNameGlob(glob)(glob)).toBe(true)
        expect(compileNameGlob(glob)(other)).toBe(glob.toLowerCase() === other.toLowerCase())
      }),
    )
  })
})

describe('a path glob', () => {
  it.each([
    'src/**',
    '**/.env*',
    '*.{js,ts}',
    '/etc/**',
    '~/.ssh/**',
    '${home}/x',
    '${gate}/**',
    'a/[!a-c]?',
    '**',
    '.git/**',
  ])('can be %s', (glob) => {
    expect(validatePathGlob(glob)).toBeNull()
  })

  it.each([
    ['', 'name what is inside'],
    ['${home}', 'name what is inside'],
    ['src/', '/**'],
    ['a//b', '//'],
    ['../a', 'resolved before matching'],
    ['./a', 'resolved before matching'],
    ['a/**b', 'a whole path segment'],
    ['a[', 'never closed'],
    ['a]', 'no opening'],
    ['[]', 'empty'],
    ['[!]', 'empty'],
    ['[]a]', 'empty'],
    ['[^a]', 'unclear'],
    ['[z-a]', 'backwards'],
    ['{a', 'never closed'],
    ['{a}', 'at least two'],
    ['{a,}', 'empty'],
    ['{a,{b,c}}', 'cannot hold'],
    [`${'{a,b}'.repeat(7)}`, 'more than 64'],
    ['x/${home}', 'only at the start'],
    ['${HOME}/x', 'only at the start'],
    ['$HOME/x', 'shell'],
    ['~root/x', 'home'],
  ])('cannot be %s', (glob, message) => {
    expect(validatePathGlob(glob)).toContain(message)
  })

  it.each([
    ['src/**', '/w/src/a/b', true],
    ['~/.ssh/**', '/home/me/.ssh/id', true],
    ['${gate}/*.yaml', '/home/me/.countersign/policy.yaml', true],
    ['[!a-c]*', '/w/dx', true],
    ['[!a-c]*', '/w/bx', false],
    ['*.{js,ts}', '/w/a.ts', true],
    ['*.{js,ts}', '/w/a.py', false],
  ])('%s on %s is %s, as in the matcher', (glob, path, matches) => {
    expect(validatePathGlob(glob)).toBeNull()
    expect(compilePathGlob(glob)(path, places)).toBe(matches)
  })

  it('that is valid never breaks the matcher', () => {
    const glob = fc.array(
      fc.constantFrom('*', '**', '?', '[ab]', '[!a-z]', '{a,b}', '/', 'a', '.b', '~/', '${home}/', ']', '{'),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(glob, (parts) => {
        const pattern = parts.join('')
        fc.pre(validatePathGlob(pattern) === null)
        expect(typeof compilePathGlob(pattern)('/w/a/b', places)).toBe('boolean')
      }),
    )
  })
})

describe('a folder', () => {
  it.each(['src', '/etc', '/', '${workspace}', '${gate}/keys', '~', '~/.ssh', 'a b', 'src/'])('can be %s', (folder) => {
    expect(validateFolder(folder)).toBeNull()
  })

  it.each(['', 'src/*', 'a/../b', '${nowhere}', '$HOME', '~root', 'a\0b', 'a//b', '.'])('cannot be %j', (folder) => {
    expect(validateFolder(folder)).toMatch(/./)
  })
})
