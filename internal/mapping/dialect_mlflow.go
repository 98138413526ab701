package mapping

// mlflow is MLflow's tracing; every value is JSON once more (7.13).
var mlflow = Dialect{
	Name:   "mlflow",
	Source: "mlflow/mlflow mlflow/tracing/constant.py, mlflow/entities/span.py",
	Rows: []Row{
		{Key: "mlflow.spanInputs", Slot: SlotInput},
		{Key: "mlflow.spanOutputs", Slot: SlotOutput},
		{Key: "mlflow.chat.messages", Slot: SlotReplay},
		{Key: "mlflow.chunk.value", Slot: SlotOutput, Copies: "mlflow.spanOutputs"}, // on events mlflow.chunk.item.N
		{Key: "mlflow.chat.tools", Slot: SlotNone},
		{Key: "mlflow.spanType", Slot: SlotNone},
		{Key: "mlflow.spanFunctionName", Slot: SlotNone},
		{Key: "mlflow.traceRequestId", Slot: SlotNone},
	},
}
