import { fileLaws } from '@countersign/testing/store/file-laws'
import { opened } from './store-fixture.mts'

fileLaws('the SQLite store', opened)
