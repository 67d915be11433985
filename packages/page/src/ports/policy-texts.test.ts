import { describe, expect, it } from 'vitest'
import { openPolicyTexts } from './policy-texts.ts'

const texts = async (files: ReturnType<typeof openPolicyTexts>) => (await files.read()).map(({ text }) => text)
const DEFAULT = '{"version":1,"defaults":{"timeout":"60s"}}'

describe('the policy of a page', () => {
  it('has the default timeout where it names none itself', async () => {
    expect(await texts(openPolicyTexts({ version: 1 }, '60s'))).toEqual(['{"version":1}', DEFAULT])
    const own = 'version: 1\ndefaults: { timeout: 5m }'
    expect(await texts(openPolicyTexts([own, { version: 1 }], '60s'))).toEqual([own, '{"version":1}'])
    expect(await texts(openPolicyTexts('nonsense: [', '60s'))).toEqual(['nonsense: [', DEFAULT])
  })

  it('has another version after it was replaced', async () => {
    const files = openPolicyTexts('a: 1', '60s')
    const before = files.version()
    files.replace('b: 1')
    expect(files.version()).not.toBe(before)
    expect(await texts(files)).toContain('b: 1')
  })

  it('is never an object that cannot be written as JSON', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    expect(() => openPolicyTexts(loop, '60s')).toThrow(expect.objectContaining({ code: 'CS_POLICY_READ' }))
  })
})
