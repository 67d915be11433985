import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { EditDiff } from './diff.tsx'
import { JsonInput } from './inputs.tsx'

const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')

describe('the changes of an edit', () => {
  it('hide secrets until the person reveals them', () => {
    const [before, after] = [{ body: { rows: 1, token: secret } }, { body: { rows: 2, token: secret } }]
    const drawn = renderToStaticMarkup(createElement(EditDiff, { before, after }))
    expect(drawn).not.toContain(secret)
    expect(drawn).toMatch(/rows.*masked.*Reveal secrets/s)
  })

  it('are named even if the changed part is a secret', () => {
    const [before, after] = [{ token: secret }, { token: `${secret.slice(0, -1)}9` }]
    const drawn = renderToStaticMarkup(createElement(EditDiff, { before, after }))
    expect(drawn).toMatch(/masked.*masked.*value 2/s)
    expect(drawn).not.toContain(secret)
  })
})

describe('the JSON editor', () => {
  it('starts hidden when the value contains a secret', () => {
    const input = { id: 'x', name: 'items', change: () => {} }
    const of = (text: string): string =>
      renderToStaticMarkup(createElement(JsonInput, { ...input, draft: { kind: 'json', text } }))
    expect(of(JSON.stringify([{ token: secret }]))).toMatch(/masked.*Reveal to edit/)
    expect(of(JSON.stringify([{ token: secret }]))).not.toContain(secret)
    expect(of('[1]')).toContain('<textarea')
  })
})
