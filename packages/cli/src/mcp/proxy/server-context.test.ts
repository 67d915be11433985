import { realpathSync } from 'node:fs'
import { accountHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { serverWorkspace } from './server-context.ts'

describe('the workspace of a server', () => {
  it('is the folder it is started in', () => {
    const folder = temporaryFolder()
    expect(serverWorkspace(undefined, folder)).toBe(folder)
    expect(serverWorkspace(folder, '/')).toBe(folder)
  })

  it('is an empty folder if a desktop client starts it in the root or the home', () => {
    const home = accountHome() ?? ''
    for (const cwd of ['/', home]) expect(serverWorkspace(undefined, cwd)).toMatch(/\/countersign\/no-workspace$/)
    expect(serverWorkspace(undefined, '/')).not.toBe(realpathSync(home))
  })

  it('is refused if it was named and is not allowed', () => {
    expect(() => serverWorkspace('/', '/')).toThrow(expect.objectContaining({ code: 'CS_WORKSPACE' }))
  })
})
