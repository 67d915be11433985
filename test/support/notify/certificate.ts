import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** A certificate for localhost that only tests use, and its key. It signs itself. */
export const CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBqTCCAU+gAwIBAgIUeTUvIPNR4oiwoC5SVGXKsbADOTAwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQQ291bnRlcnNpZ24gdGVzdDAgFw0yNjExMTkxMzA0MDdaGA8y
MTI2MTAyNjEzMDQwN1owGzEZMBcGA1UEAwwQQ291bnRlcnNpZ24gdGVzdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABIyJrIaWJQcWB0IM9kCicZjVzK3LBk2IU/kq
9dLtQsvdd5KXs/uEKNOznwOt8D1oqJFncefmvWgEWyPfYFFfpq6jbzBtMB0GA1Ud
DgQWBBRruGJfpyLV+zW5ZL9GYIabV4ByHzAfBgNVHSMEGDAWgBRruGJfpyLV+zW5
ZL9GYIabV4ByHzAPBgNVHRMBAf8EBTADAQH/MBoGA1UdEQQTMBGCCWxvY2FsaG9z
dIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiEA2UCuvGK1sRfd/Q1m2r9V/Un44oaU
8/mlwHT/TiiOUYcCIAp4llM1OQjpyex0T84PmYkzQQSsYcfbdUE/JKvQqZw9
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKQHMSO3eiJ2psaGs
YV1D7Syl6JlGot6bzz3OwbJ6JVehRANCAASMiayGliUHFgdCDPZAonGY1cytywZN
iFP5KvXS7ULL3XeSl7P7hCjTs58DrfA9aKiRZ3Hn5r1oBFsj32BRX6au
-----END PRIVATE KEY-----`,
}

/** Makes this process trust the certificate, beside those of the system. */
export function trustCertificate(): void {
  const trusted = getCACertificates('default')
  if (!trusted.includes(CERTIFICATE.cert)) setDefaultCACertificates([...trusted, CERTIFICATE.cert])
}
