import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { realPath } from './real-path.ts'

let root: string
let work: string

/** A workspace with every kind of link that leads out of it. */
beforeEach(() => {
  root = temporaryFolder()
  work = join(root, 'work')
  mkdirSync(join(work, 'allowed', 'deep'), { recursive: true })
  mkdirSync(join(root, 'secret', 'inner'), { recursive: true })
  writeFileSync(join(root, 'secret', 'passwd'), 'x')
  writeFileSync(join(work, 'plain.txt'), 'x')
  symlinkSync(join(root, 'secret'), join(work, 'allowed', 'link'))
  symlinkSync('../secret/inner', join(work, 'inner'))
  symlinkSync(join(root, 'secret', 'new.txt'), join(work, 'dangling'))
  symlinkSync('dangling', join(work, 'twice'))
  symlinkSync('loop', join(work, 'loop'))
})

describe('resolving a real path (A27, scenario 11)', () => {
  it.each([
    ['a plain file', 'plain.txt', 'work/plain.txt'],
    ['a file that does not exist yet', 'new/er/file', 'work/new/er/file'],
    ['an empty path', '', 'work'],
    ['the folder itself', './/.', 'work'],
    ['doubled slashes', './/allowed///deep//x', 'work/allowed/deep/x'],
    ['a trailing slash', 'allowed/', 'work/allowed'],
    ['a trailing slash after a link', 'allowed/link/', 'secret'],
    ['`..` out of the folder', '../secret/passwd', 'secret/passwd'],
    ['`..` above a missing folder', 'none/../../secret/passwd', 'secret/passwd'],
    ['`..` after a plain file', 'plain.txt/../../secret', 'secret'],
    ['a link in the middle', 'allowed/link/passwd', 'secret/passwd'],
    ['a new file under a link', 'allowed/link/new/file', 'secret/new/file'],
    ['`..` after a link, relative to the link’s target', 'inner/../passwd', 'secret/passwd'],
    ['a dangling link, which creates its target', 'dangling', 'secret/new.txt'],
    ['a link to a dangling link', 'twice', 'secret/new.txt'],
    ['a dangling link as a folder', 'dangling/x', 'secret/new.txt/x'],
    ['a sibling with the same prefix', '../work-secrets/x', 'work-secrets/x'],
    ['decomposed characters, kept unchanged', 'cafe\u0301', 'work/cafe\u0301'],
    ['a name with a newline', 'a\nb', 'work/a\nb'],
    ['an unknown account, taken literally', '~no-such-account-here/x', 'work/~no-such-account-here/x'],
  ])('follows %s', (_, path, expected) => {
    expect(realPath(path, work)).toBe(join(root, expected))
  })

  it('expands `~` to the account’s home, whatever HOME is', () => {
    const home = realPath(userInfo().homedir, '/')
    expect(realPath('~', work)).toBe(home)
    expect(realPath('~/.no-such-file-here', work)).toBe(join(home, '.no-such-file-here'))
    expect(realPath(`~${userInfo().username}/x`, work)).toBe(join(home, 'x'))
    expect(realPath('./~/x', work)).toBe(join(work, '~/x'))
  })

  it('stays at the root above the root', () => {
    expect(realPath('/../../..', work)).toBe('/')
    expect(realPath('../'.repeat(100), work)).toBe('/')
  })

  it('follows links in the working folder’s own path', () => {
    expect(realPath('../passwd', join(work, 'inner'))).toBe(join(root, 'secret', 'passwd'))
  })

  it.runIf(process.platform === 'linux')('follows links in /proc like the tool’s own process', () => {
    const passwd = join(root, 'secret', 'passwd')
    expect(realPath(`/proc/self/root${passwd}`, work)).toBe(passwd)
    expect(realPath(`/proc/self/root/proc/self/root${passwd}`, work)).toBe(passwd)
    expect(realPath('/proc/self/cwd/allowed/link/passwd', work)).toBe(passwd)
    expect(realPath('/proc/thread-self/cwd/plain.txt', work)).toBe(join(work, 'plain.txt'))
  })

  it('refuses a NUL character, a path too long for the kernel, and an invalid working folder', () => {
    const malformed = expect.objectContaining({ code: 'CS_CALL_SHAPE' })
    expect(() => realPath('plain.txt\0.png', work)).toThrow(malformed)
    expect(() => realPath('a/'.repeat(3_000), work)).toThrow(malformed)
    expect(() => realPath('plain.txt', 'work')).toThrow(malformed)
  })

  it('refuses link loops', () => {
    expect(() => realPath('loop/x', work)).toThrow(expect.objectContaining({ code: 'CS_TARGET' }))
  })

  it('agrees with the system’s realpath on every existing path', () => {
    const names = fc.constantFrom(
      '.',
      '..',
      'work',
      'allowed',
      'deep',
      'link',
      'inner',
      'secret',
      'passwd',
      'plain.txt',
      '',
    )
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), (parts) => {
        const path = `${work}/${parts.join('/')}`
        let expected: string
        try {
          expected = realpathSync.native(path)
        } catch {
          return
        }
        expect(realPath(path, '/')).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it('finds the file that a shell really writes', () => {
    for (const path of ['allowed/link/made', 'inner/../made-above', 'dangling', 'allowed/deep/../made-here']) {
      const expected = realPath(path, work)
      execFileSync('/bin/sh', ['-c', 'echo x > "$1"', 'sh', path], { cwd: work })
      expect(realpathSync.native(join(work, path.startsWith('inner') ? '../secret/made-above' : path))).toBe(expected)
    }
  })
})
