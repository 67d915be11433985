import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flowPicture } from '../../scripts/draw-flow.ts'
import { promptPicture } from '../../scripts/draw-prompt.ts'
import { ROOT } from './pages.ts'

describe('the pictures', () => {
  it.each([
    ['flow', flowPicture],
    ['prompt', promptPicture],
  ])('%s.svg is up to date; if not, run its script in `scripts/`', async (name, draw) => {
    expect(await draw()).toBe(readFileSync(join(ROOT, `docs/pictures/${name}.svg`), 'utf8'))
  })

  it('include a recorded session that is small, reveals nothing about the machine, and plays by itself', () => {
    const session = readFileSync(join(ROOT, 'docs/pictures/session.svg'), 'utf8')
    expect(session.length).toBeLessThan(200 * 1024)
    expect(session).toContain('rm -rf ../../shop')
    expect(session).not.toMatch(/<script|(?:href|src)="(?!#)|\/home\/|\/root\b|by root/)
  })
})
