import { z } from 'zod'
import { LIST, rows, WORD, WORD_LIST, wordDomain, words } from './word-domain.ts'

const CONTACT = z.strictObject({
  names: WORD_LIST,
  takes: z.enum(['urls', 'links', 'hosts', 'first', 'remotes', 'repository', 'image', 'sockets']).exactOptional(),
  reader: z.enum(['curl', 'wget', 'httpie']).exactOptional(),
  port: z.number().int().min(1).max(65_535).exactOptional(),
  use: z.enum(['read', 'send']).exactOptional(),
  certain: z.literal(false).exactOptional(),
  reads: WORD_LIST.exactOptional(),
  sends: WORD_LIST.exactOptional(),
  hosts: z
    .array(WORD.regex(/^[a-z0-9.-]+$/, 'a host is in lower case'))
    .min(1)
    .exactOptional(),
  via: WORD_LIST.exactOptional(),
  unseen: WORD_LIST.exactOptional(),
  sending: WORD_LIST.exactOptional(),
})

/** Facts about hosts: special addresses, sets of hosts to name in a policy, and the hosts that programs contact. */
export const NETWORK = wordDomain(
  'network',
  {
    addresses: {
      ...words('metadata'),
      loopback_names: LIST,
      private_endings: LIST,
      address_domains: LIST,
    },
    sets: { packages: LIST, documentation: LIST, code_hosts: LIST },
    programs: { contacts: rows(CONTACT, 'ContactRow', { unique: 'names' }) },
  },
  ['ContactRow'],
)
