import { describe, expect, it } from 'vitest'
import { type AskPasskey, signWithOne } from './passkey.ts'

const [laptop, phone] = [
  { id: 'a', name: 'laptop', credential: 'ca' },
  { id: 'b', name: 'phone', credential: 'cb' },
]

/** A browser with these passkeys that records which ones it was asked for. */
function browserWith(...has: readonly string[]) {
  const asked: string[] = []
  const ask: AskPasskey = async ({ id }) => {
    asked.push(id)
    if (!has.includes(id)) throw Object.assign(new Error('not allowed'), { name: 'NotAllowedError' })
    return `by ${id}`
  }
  return { asked, ask }
}

describe('signing with a passkey of this site', () => {
  it('tries each passkey in turn before one was chosen', async () => {
    const { asked, ask } = browserWith('b')
    expect(await signWithOne([laptop, phone], null, ask)).toEqual({ approver: 'b', signature: 'by b' })
    expect(asked).toEqual(['a', 'b'])
  })

  it('asks only for the chosen passkey', async () => {
    const { asked, ask } = browserWith('b')
    expect(await signWithOne([laptop, phone], 'b', ask)).toEqual({ approver: 'b', signature: 'by b' })
    await expect(signWithOne([laptop, phone], 'a', ask)).rejects.toThrow('select it by name')
    expect(asked).toEqual(['b', 'a'])
  })

  it('ignores a chosen passkey that is no longer enrolled', async () => {
    const { asked, ask } = browserWith('b')
    await signWithOne([laptop, phone], 'gone', ask)
    expect(asked).toEqual(['a', 'b'])
  })

  it('explains what to do without a passkey, and passes on other errors', async () => {
    await expect(signWithOne([], null, browserWith().ask)).rejects.toThrow('add one first')
    await expect(signWithOne([laptop], null, browserWith().ask)).rejects.toThrow('nothing was decided')
    const broken: AskPasskey = () => Promise.reject(new Error('not a secure page'))
    await expect(signWithOne([laptop, phone], null, broken)).rejects.toThrow('not a secure page')
  })
})
