import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { fileLaws } from '@countersign/testing/store/file-laws'
import { groupLaws } from '@countersign/testing/store/group-laws'
import { storeLaws } from '@countersign/testing/store/store-laws'
import { describe } from 'vitest'
import { openedOn } from './store-fixture.mts'

describe.skipIf(missingPostgres())('on a real server', () => {
  const server = usePostgres()
  const opened = (options: { readonly now?: () => number } = {}) => openedOn(server, options)

  storeLaws('the PostgreSQL store', opened)
  groupLaws('the PostgreSQL store', opened)
  fileLaws('the PostgreSQL store', opened)
})
