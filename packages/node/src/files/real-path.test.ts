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

/** A workspace with links that lead out of it in every way. */
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

describe('where a path really leads (A27, scenario 11)', () => {
  it.each([
    ['a plain file', 'plain.txt', 'work/plain.txt'],
    ['a file that is not there yet', 'new/er/file', 'work/new/er/file'],
    ['nothing', '', 'work'],
    ['the folder itself', './/.', 'work'],
    ['doubled slashes', './/allowed///deep//x', 'work/allowed/deep/x'],
    ['a trailing slash', 'allowed/', 'work/allowed'],
    ['a trailing slash after a link', 'allowed/link/', 'secret'],
    ['`..` out of the folder', '../secret/passwd', 'secret/passwd'],
    ['`..` above what does not exist', 'none/../../secret/passwd', 'secret/passwd'],
    ['`..` after a plain file', 'plain.txt/../../secret', 'secret'],
    ['a link in the middle', 'allowed/link/passwd', 'secret/passwd'],
    ['a new file under a link', 'allowed/link/new/file', 'secret/new/file'],
    ['`..` after a link, which leaves where the link led', 'inner/../passwd', 'secret/passwd'],
    ['a dangling link, which creates at its end', 'dangling', 'secret/new.txt'],
    ['a link to a dangling link', 'twice', 'secret/new.txt'],
    ['a dangling link as a folder', 'dangling/x', 'secret/new.txt/x'],
    ['a neighbour with the same beginning', '../work-secrets/x', 'work-secrets/x'],
    ['decomposed characters, kept as they are', 'cafe\u0301', 'work/cafe\u0301'],
    ['a name with a newline', 'a\nb', 'work/a\nb'],
    ['an unknown account, taken literally', '~no-such-account-here/x', 'work/~no-such-account-here/x'],
  ])('follows %s', (_, path, expected) => {
    expect(realPath(path, work)).toBe(join(root, expected))
  })

  it('takes `~` for the account’s home, whatever HOME says', () => {
    const home = realPath(userInfo().homedir, '/')
    expect(realPath('~', work)).toBe(home)
    expect(realPath('~/.no-such-file-here', work)).toBe(join(home, '.no-such-file-here'))
    expect(realPath(`~${userInfo().username}/x`, work)).toBe(join(home, 'x'))
    expect(realPath('./~/x', work)).toBe(join(work, '~/x'))
  })

  it('ends above the root at the root', () => {
    expect(realPath('/../../..', work)).toBe('/')
    expect(realPath('../'.repeat(100), work)).toBe('/')
  })

  it('follows the working folder’s own links', () => {
    expect(realPath('../passwd', join(work, 'inner'))).toBe(join(root, 'secret', 'passwd'))
  })

  it.runIf(process.platform === 'linux')('follows the links of /proc as the tool’s own process will', () => {
    const passwd = join(root, 'secret', 'passwd')
    expect(realPath(`/proc/self/root${passwd}`, work)).toBe(passwd)
    expect(realPath(`/proc/self/root/proc/self/root${passwd}`, work)).toBe(passwd)
    expect(realPath('/proc/self/cwd/allowed/link/passwd', work)).toBe(passwd)
    expect(realPath('/proc/thread-self/cwd/plain.txt', work)).toBe(join(work, 'plain.txt'))
  })

  it('refuses a NUL character, a path no kernel takes, and a working folder that is none', () => {
    const malformed = expect.objectContaining({ code: 'CS_CALL_SHAPE' })
    expect(() => realPath('plain.txt\0.png', work)).toThrow(malformed)
    expect(() => realPath('a/'.repeat(3_000), work)).toThrow(malformed)
    expect(() => realPath('plain.txt', 'work')).toThrow(malformed)
  })

  it('refuses links that never end', () => {
    expect(() => realPath('loop/x', work)).toThrow(expect.objectContaining({ code: 'CS_TARGET' }))
  })

  it('agrees with the system’s own realpath on every path that exists', () => {
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

  it('says where the shell then really writes', () => {
    for (const path of ['allowed/link/made', 'inner/../made-above', 'dangling', 'allowed/deep/../made-here']) {
      const expected = realPath(path, work)
      execFileSync('/bin/sh', ['-c', 'echo x > "$1"', 'sh', path], { cwd: work })
      expect(realpathSync.native(join(work, path.startsWith('inner') ? '../secret/made-above' : path))).toBe(expected)
    }
  })
})
