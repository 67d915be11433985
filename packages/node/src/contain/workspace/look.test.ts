import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { inFolder } from './look.ts'

describe('acting in a folder', () => {
  function places(): { root: string; outside: string } {
    const folder = temporaryFolder()
    const [root, outside] = [join(folder, 'root'), join(folder, 'outside')]
    for (const path of [join(root, 'inner'), join(outside, 'inner')]) mkdirSync(path, { recursive: true })
    symlinkSync(outside, join(root, 'link'))
    return { root, outside }
  }

  it.each(['link', 'link/inner', '../outside', 'missing'])('does nothing for `%s`', (name) => {
    const { root } = places()
    expect(inFolder(join(root, name), root, () => 'acted')).toBeUndefined()
  })

  it('stays in the folder when a link takes its place', () => {
    const { root, outside } = places()
    inFolder(join(root, 'inner'), root, (at) => {
      renameSync(join(root, 'inner'), join(root, 'moved'))
      symlinkSync(outside, join(root, 'inner'))
      writeFileSync(join(at, 'file'), '')
    })
    expect(existsSync(join(root, 'moved/file'))).toBe(true)
    expect(readdirSync(outside)).toEqual(['inner'])
  })
})
