import { symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openWorkspace } from './workspace.ts'

describe('the workspace', () => {
  it('is the real path of a folder', () => {
    const folder = temporaryFolder()
    symlinkSync('.', join(folder, 'link'))
    expect(openWorkspace(join(folder, 'link'))).toBe(folder)
  })

  const home = userInfo().homedir
  it.each(['/', '/..', home, `${home}/`, dirname(home)])(
    'is never the root, the home, or a parent of it: `%s`',
    (dir) => {
      expect(() => openWorkspace(dir)).toThrow(expect.objectContaining({ code: 'CS_WORKSPACE' }))
    },
  )

  it.each(['/usr', '/usr/bin', '/etc', '/var', '/dev'])('is never a system folder: `%s`', (dir) => {
    expect(() => openWorkspace(dir)).toThrow(
      expect.objectContaining({ code: 'CS_WORKSPACE', message: expect.stringContaining('is a system folder') }),
    )
  })

  it('is not a link to a system folder', () => {
    const link = join(temporaryFolder(), 'link')
    symlinkSync('/usr/bin', link)
    expect(() => openWorkspace(link)).toThrow(expect.objectContaining({ code: 'CS_WORKSPACE' }))
  })

  it('is not a link to the home', () => {
    const link = join(temporaryFolder(), 'link')
    symlinkSync(home, link)
    expect(() => openWorkspace(link)).toThrow(expect.objectContaining({ code: 'CS_WORKSPACE' }))
  })

  it('must exist', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    for (const dir of [file, `${file}/none`, join(dirname(file), 'none')])
      expect(() => openWorkspace(dir)).toThrow(expect.objectContaining({ code: 'CS_WORKSPACE' }))
  })
})
