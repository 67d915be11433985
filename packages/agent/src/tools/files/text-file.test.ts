import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { readText } from './text-file.ts'

describe('reading a checked path', () => {
  it.skipIf(process.platform !== 'linux')('refuses a file behind a folder that is now a link', async () => {
    const root = realpathSync(temporaryFolder())
    mkdirSync(join(root, 'outside'))
    writeFileSync(join(root, 'outside/file'), 'secret')
    symlinkSync('outside', join(root, 'folder'))
    await expect(readText(join(root, 'folder/file'), 'folder/file')).rejects.toThrow('is now a link')
    expect(await readText(join(root, 'outside/file'), 'outside/file')).toMatchObject({ text: 'secret' })
  })
})
