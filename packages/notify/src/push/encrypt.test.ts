import { createECDH, randomBytes } from 'node:crypto'
import { openPushBrowser } from '@countersign/testing/notify/push-browser'
import { describe, expect, it } from 'vitest'
import { encryptPush, MOST_PLAIN_BYTES } from './encrypt.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

function keysOf(browser: ReturnType<typeof openPushBrowser>) {
  return { p256dh: bytes(browser.p256dh), auth: bytes(browser.auth) }
}

describe('the encryption of Web Push', () => {
  it('gives the bytes of the example in RFC 8291', () => {
    const sender = createECDH('prime256v1')
    sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
    const keys = {
      p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    }
    const salt = bytes('DGv6ra1nlYgDCS1FRnbzlw')
    const made = encryptPush('When I grow up, I want to be a watermelon', keys, { sender, salt }, 1)
    expect(made.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it.each(['', 'x', 'é'.repeat(200), 'x'.repeat(MOST_PLAIN_BYTES)])('is read by the browser it is for', (text) => {
    const browser = openPushBrowser()
    const made = encryptPush(text, keysOf(browser))
    expect(browser.read(made)).toBe(text)
    expect(made.length).toBeLessThanOrEqual(4_096)
  })

  it('is read by no other browser, and differs each time', () => {
    const [browser, other] = [openPushBrowser(), openPushBrowser()]
    const made = encryptPush('for one', keysOf(browser))
    expect(() => other.read(made)).toThrow()
    expect(encryptPush('for one', keysOf(browser)).equals(made)).toBe(false)
  })

  it('hides how long a short message is', () => {
    const keys = keysOf(openPushBrowser())
    expect(encryptPush('LOW', keys).length).toBe(encryptPush(randomBytes(90).toString('hex'), keys).length)
  })
})
