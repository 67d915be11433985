import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const UP = 0x01
const UV = 0x04
const AT = 0x40

/** A software passkey that responds like a browser. Only for tests: a real one never reveals its key. */
export function softwarePasskey(origin: string, site = 'localhost') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const cose = map([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(jwk.x ?? '', 'base64url')],
    [-3, Buffer.from(jwk.y ?? '', 'base64url')],
  ])

  function clientData(type: string, challenge: string, from: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  }

  function authenticatorData(flags: number, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    return Buffer.concat([createHash('sha256').update(site).digest(), Buffer.from([flags]), counter, more])
  }

  return {
    credential: id.toString('base64url'),
    /** The response of `navigator.credentials.create`. */
    create(challenge: string) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorData(UP | UV | AT, Buffer.concat([Buffer.alloc(16), length, id, cose]))
      const attestation = map([
        ['fmt', 'none'],
        ['attStmt', null],
        ['authData', data],
      ])
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** The response of `navigator.credentials.get`, as part of a decision. */
    get(challenge: Uint8Array, but: { readonly from?: string; readonly verified?: boolean } = {}) {
      const client = clientData('webauthn.get', Buffer.from(challenge).toString('base64url'), but.from ?? origin)
      const data = authenticatorData(but.verified === false ? UP : UP | UV)
      const message = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return JSON.stringify({
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', message, privateKey).toString('base64url'),
        },
      })
    },
  }
}

/** null is an empty map. */
type Cbor = number | string | Buffer | null

/** The subset of CBOR that an authenticator needs. */
function map(entries: readonly (readonly [number | string, Cbor])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [encode(key), encode(value)])])
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  return Buffer.isBuffer(value) ? Buffer.concat([head(2, value.length), value]) : head(5, 0)
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}
