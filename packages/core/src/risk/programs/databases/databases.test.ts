import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('databases and queues', () => {
  eachIsRated(
    'none',
    `psql -c 'select 1'
    mysql -uroot -psecret -e 'select 1'
    psql -l
    psql postgresql://app:app@localhost:5432/app -c 'select now()'
    mysql -uroot -proot -h 127.0.0.1 -e "select 1"
    sqlite3 app.db '.tables'
    redis-cli -h localhost -p 6379 get key
    redis-cli --scan --pattern 'user:*'
    redis-cli config get maxmemory
    mongosh app --quiet --eval 'db.users.countDocuments()'
    kafka-topics.sh --describe --topic orders --bootstrap-server localhost:9092
    rabbitmqctl list_queues
    prisma migrate status
    cockroach sql -e 'SHOW DATABASES'`,
  )
  eachIsRated(
    'low',
    `psql\npg_dump -Fc -f app.dump app\ncreatedb app_test\nnpx prisma generate\npython manage.py runserver`,
  )
  eachIsRated(
    'medium',
    `psql -h localhost -d app_dev -c "UPDATE users SET name='a' WHERE id=1"
    sqlite3 dev.db "INSERT INTO t VALUES (1)"
    psql -f schema.sql app_dev
    redis-cli set a 1
    npx prisma migrate dev --name init
    bin/rails db:migrate
    python manage.py migrate`,
  )
  eachIsRated(
    'high',
    `psql -h db.example.com -c "INSERT INTO t VALUES (1)"
    psql "$DATABASE_URL" -c "UPDATE t SET a=1 WHERE id=2"
    psql -d app_production -c "INSERT INTO t VALUES (1)"
    psql -c 'UPDATE users SET active=false'
    mysql app < dump.sql
    pg_restore --clean -d app app.dump
    redis-cli flushdb
    mongosh --eval 'db.users.deleteMany({a:1})'
    npx prisma migrate deploy
    yarn prisma migrate deploy
    npx prisma@6 migrate deploy
    npx prisma migrate reset --force
    RAILS_ENV=production rails db:migrate
    alembic downgrade base
    kafka-topics --bootstrap-server b:9092 --delete --topic orders`,
  )
  eachIsRated(
    'critical',
    `psql -c 'DROP TABLE users'
    psql -d app -Atc 'truncate x'
    mysql -uroot -psecret -e'drop database a'
    docker exec pg psql -U postgres -c 'drop database app'
    sqlite3 app.db 'DELETE FROM users'
    dropdb app
    redis-cli -n 3 FLUSHALL
    mongosh --eval 'db.users.drop()'
    mongosh --eval 'db.users.deleteMany({ })'
    rails db:drop
    python manage.py flush --no-input
    flyway clean
    etcdctl del / --prefix`,
  )

  it('names the deleted database', () => {
    expect(rateShell('dropdb app')).toMatchObject({ reversible: 'no', target: 'app', magnitude: { reach: 'all' } })
  })
})
