package pgtest

// IdleReader is the function of a goroutine that pgx may start when a write takes
// long, and that lasts as long as the connection. Tests that look for leaked
// goroutines ignore it, because a process keeps the connections to its databases
// for the next test.
const IdleReader = "github.com/jackc/pgx/v5/pgconn/internal/bgreader.(*BGReader).bgRead"
